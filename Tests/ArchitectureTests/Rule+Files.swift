import Foundation

/// What holds of files, whatever they do.
extension Rule {
  /// A file that is longer has two subjects.
  static let length = Rule(
    description: "no file is longer than 400 lines"
  ) { tree in
    tree.swiftFiles(below: "Sources", "Plugins", "Tests").compactMap { path in
      let lines = (tree.files[path] ?? "").count { $0 == "\n" }
      return lines > 400 ? Finding(place: path, reason: "has \(lines) lines") : nil
    }
  }

  /// What a library has to say it returns or throws.
  static let libraries = Rule(description: "libraries do not print and do not crash") { tree in
    tree.productFiles.filter { !$0.hasPrefix("Sources/aggregate/") }.flatMap { path -> [Finding] in
      let code = tree.code(path)
      return ["print(", "try!", "fatalError("].filter { isWord($0, in: code) }
        .map { Finding(place: path, reason: "has \($0)") }
    }
  }

  /// Whether a word is there that is no part of another one and no member of something.
  private static func isWord(_ word: String, in code: String) -> Bool {
    code.ranges(of: word).contains { range in
      let rest = code[..<range.lowerBound]
      // One of the library itself: what the standard library has does not throw.
      if rest.hasSuffix("func ") || rest.hasSuffix("try ") { return false }
      guard let before = rest.last else { return true }
      return !before.isLetter && !before.isNumber && before != "_" && before != "."
    }
  }

  /// What is here, what to read first.
  static let readmes = Rule(
    description: "every module has a README.md"
  ) { tree in
    ["Sources", "Plugins"].flatMap { top in
      tree.folders(in: top).sorted().map { "\(top)/\($0)" }
    }.filter { tree.files["\($0)/README.md"] == nil }
      .map { Finding(place: $0, reason: "has no README.md") }
  }

  /// With `CI=true` nothing is skipped; only the helper of the tests knows of that.
  static let conditions = Rule(description: "tests are skipped by available, programs and corpus") {
    tree in
    tree.swiftFiles(below: "Tests", "Plugins").compactMap { path in
      if path == "Tests/AggregateTestSupport/Availability.swift" { return nil }
      let isConditional = [".enabled(", ".disabled("].contains { tree.code(path).contains($0) }
      return isConditional ? Finding(place: path, reason: "has a condition of its own") : nil
    }
  }

  /// What tests in parallel would disturb.
  static let alone = Rule(
    description: "suites that need the machine for themselves are named in Scripts/test.sh"
  ) { tree in
    let names = Set(
      (tree.files["Scripts/test.sh"] ?? "").split { !$0.isLetter && !$0.isNumber }.map(String.init))
    return tree.swiftFiles(below: "Tests", "Plugins").filter { $0.hasSuffix("Tests.swift") }.flatMap
    {
      path -> [Finding] in
      let code = tree.code(path)
      let signs = ["ContinuousClock", ".timeLimit(", "setenv(", "peakMemory"]
      guard let sign = signs.first(where: code.contains) else { return [] }
      let suites = code.ranges(of: "struct ").map { start in
        String(code[start.upperBound...].prefix { $0.isLetter || $0.isNumber })
      }
      return suites.filter { $0.hasSuffix("Tests") && !names.contains($0) }
        .map { Finding(place: path, reason: "\($0) has \(sign)") }
    }
  }
}
