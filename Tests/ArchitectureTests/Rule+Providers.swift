import Foundation

/// What providers leave to others.
extension Rule {
  /// Files of providers that send single requests, such as for a token or a place, beside other loops.
  private static let sendsOnce: Set<String> = [
    "Plugins/REST/Sources/Authentication/LoginRequest.swift",
    "Plugins/REST/Sources/Authentication/OAuthGrant.swift",
    "Plugins/Weather/Sources/WeatherEndpoint+Locating.swift",
  ]

  /// The one loop over pages is in Core, and the one over attempts in the transport.
  static let loops = Rule(
    description: "no loop over pages outside of Core"
  ) { tree in
    let own = ["Sources/AggregateCore/", "Sources/AggregateTransport/"]
    return tree.productFiles.compactMap { path in
      if sendsOnce.contains(path) || own.contains(where: path.hasPrefix) { return nil }
      let code = tree.code(path)
      guard code.contains("http.send(") || code.contains("client.send(") else { return nil }
      if !words(of: code).isDisjoint(with: ["while", "repeat"]) {
        return Finding(place: path, reason: "sends requests beside a loop")
      }
      let isInside = loops(of: code).contains {
        $0.contains("http.send(") || $0.contains("client.send(")
      }
      return isInside ? Finding(place: path, reason: "sends requests in a loop") : nil
    }
  }

  /// The bodies of the loops of a file.
  private static func loops(of code: String) -> [Substring] {
    var found: [Substring] = []
    var rest = code[...]
    while let loop = rest.range(of: "for ") {
      rest = rest[loop.upperBound...]
      guard let start = rest.firstIndex(of: "{"), rest[..<start].contains(" in ") else { continue }
      let body = rest[rest.index(after: start)...]
      var depth = 1
      let end = body.firstIndex { character in
        if character == "{" { depth += 1 }
        if character == "}" { depth -= 1 }
        return depth == 0
      }
      found.append(body[..<(end ?? body.endIndex)])
    }
    return found
  }

  private static func words(of code: String) -> Set<Substring> {
    Set(code.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
  }

  /// Where providers are listed.
  private static let list = "Sources/AggregateProviders/Providers.swift"

  /// They are listed once.
  static let providersUnnamed = Rule(
    description: "no library names a provider"
  ) { tree in
    tree.swiftFiles(below: "Sources").filter { $0 != list }.flatMap {
      path -> [Finding] in
      let words = words(of: tree.code(path))
      let names = tree.folders(in: "Plugins").flatMap { ["Aggregate\($0)", "\($0)Provider"] }
      return names.filter { words.contains($0[...]) }.sorted().map {
        Finding(place: path, reason: "names \($0)")
      }
    }
  }

  /// A provider is one folder, complete in itself.
  static let providerParts = Rule(description: "every provider has all its parts") { tree in
    tree.folders(in: "Plugins").sorted().flatMap { name -> [Finding] in
      let folder = "Plugins/\(name)/"
      let files = tree.files.keys.filter { $0.hasPrefix(folder) }.map { $0.dropFirst(folder.count) }
      return ["Sources/", "Tests/", "README.md", "sample.yaml"].filter { part in
        !files.contains { $0.hasPrefix(part) }
      }.map { Finding(place: folder, reason: "has no \($0)") }
    }
  }
}
