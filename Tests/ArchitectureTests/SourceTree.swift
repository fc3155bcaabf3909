import Foundation

/// The files of a project by their paths from its root.
struct SourceTree {
  /// Texts by path.
  let files: [String: String]
  /// The Swift files among them without comments and without what is in quotes.
  private let bare: [String: String]
  /// What each of these imports of this project.
  private let imported: [String: Set<String>]
  /// The modules of the providers.
  let providerModules: Set<String>
  /// The modules of this project.
  let modules: Set<String>

  init(files: [String: String]) {
    self.files = files
    let bare = files.filter { $0.key.hasSuffix(".swift") }.mapValues(Self.bare)
    providerModules = Set(Self.folders(in: "Plugins", of: files).map { "Aggregate\($0)" })
    let modules = Self.folders(in: "Sources", of: files).union(providerModules)
    self.bare = bare
    self.modules = modules
    imported = bare.mapValues { Self.imports($0).intersection(modules) }
  }

  /// This project: its package description, and what lies below the folders that rules look at.
  static let project: SourceTree = {
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    var files: [String: String] = [:]
    for name in ["Package.swift", "Scripts", "Sources", "Plugins", "Tests"] {
      let below = FileManager.default.enumerator(atPath: root.appending(path: name).path)
      let paths = (below?.compactMap { $0 as? String } ?? []).map { "\(name)/\($0)" }
      for path in [name] + paths where !path.hasPrefix("Tests/Cases/") {
        guard isOfInterest(path) else { continue }
        files[path] = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
      }
    }
    return SourceTree(files: files)
  }()

  private static func isOfInterest(_ path: String) -> Bool {
    path.hasSuffix(".swift") || path.hasSuffix(".sh") || path.hasSuffix("README.md")
      || path.hasSuffix("sample.yaml")
      || path.hasSuffix(".h") || path.hasSuffix("module.modulemap")
  }

  /// The Swift files below one of these folders, in order.
  func swiftFiles(below folders: String...) -> [String] {
    files.keys.filter { path in
      path.hasSuffix(".swift") && folders.contains { path.hasPrefix("\($0)/") }
    }.sorted()
  }

  /// The Swift files of libraries and providers, without their tests.
  var productFiles: [String] {
    swiftFiles(below: "Sources", "Plugins").filter { !$0.contains("/Tests/") }
  }

  /// The names of the folders in a folder.
  func folders(in folder: String) -> Set<String> { Self.folders(in: folder, of: files) }

  private static func folders(in folder: String, of files: [String: String]) -> Set<String> {
    Set(
      files.keys.compactMap { path in
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == folder ? String(parts[1]) : nil
      })
  }

  /// The module that a file of a library or a provider belongs to.
  func module(of path: String) -> String {
    let parts = path.split(separator: "/")
    guard parts.count > 2 else { return "" }
    return parts[0] == "Plugins" ? "Aggregate\(parts[1])" : String(parts[1])
  }

  /// The modules of this project that a file imports.
  func imports(of path: String) -> Set<String> { imported[path] ?? [] }

  private static func imports(_ code: String) -> Set<String> {
    var found: Set<String> = []
    for line in code.split(separator: "\n") where line.contains("import ") {
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), words.count > place + 1 else { continue }
      found.insert(String(words[place + 1]))
    }
    return found
  }

  /// The text of a file without comments and without what is in quotes.
  func code(_ path: String) -> String { bare[path] ?? "" }

  /// Leaves out comments to the end of a line, and what is between quotes.
  private static func bare(_ text: String) -> String {
    var kept: [UInt8] = []
    var quotes = 0
    let bytes = Array(text.utf8)
    var index = 0
    let quote = UInt8(ascii: "\"")
    let slash = UInt8(ascii: "/")
    let lineEnd = UInt8(ascii: "\n")
    func count(_ byte: UInt8, upTo limit: Int) -> Int {
      var found = 0
      while found < limit, index + found < bytes.count, bytes[index + found] == byte { found += 1 }
      return found
    }
    while index < bytes.count {
      if quotes > 0 {
        if bytes[index] == UInt8(ascii: "\\") {
          index += 2
        } else if count(quote, upTo: quotes) == quotes || (quotes == 1 && bytes[index] == lineEnd) {
          index += quotes
          quotes = 0
        } else {
          index += 1
        }
      } else if bytes[index] == slash, count(slash, upTo: 2) == 2 {
        while index < bytes.count, bytes[index] != lineEnd { index += 1 }
      } else if bytes[index] == quote {
        quotes = count(quote, upTo: 3) == 3 ? 3 : 1
        index += quotes
      } else {
        kept.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}
