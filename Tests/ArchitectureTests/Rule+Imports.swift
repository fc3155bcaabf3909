/// Who may import whom.
extension Rule {
  /// What each module may import of this project, C libraries apart. Providers have a rule of their own.
  private static let allowed: [String: Set<String>] = [
    "AggregateCore": [],
    "AggregateRegex": [],
    "AggregateJSON": ["AggregateCore", "AggregateRegex"],
    "AggregateExpressions": ["AggregateCore", "AggregateJSON", "AggregateRegex"],
    "AggregateConfig": ["AggregateCore"],
    "AggregateFormats": ["AggregateCore", "AggregateJSON"],
    "AggregateFeeds": ["AggregateCore", "AggregateJSON", "AggregateFormats"],
    "AggregateSQLite": ["AggregateCore"],
    "AggregateState": ["AggregateCore", "AggregateSQLite"],
    "AggregateStages": [
      "AggregateCore", "AggregateJSON", "AggregateExpressions", "AggregateSQLite",
    ],
    "AggregateSinks": ["AggregateCore", "AggregateFormats", "AggregateSQLite"],
    "AggregateTransport": [
      "AggregateCore", "AggregateJSON", "AggregateSQLite", "AggregateState",
    ],
    "AggregateRun": [
      "AggregateCore", "AggregateJSON", "AggregateConfig", "AggregateExpressions",
      "AggregateStages", "AggregateFormats", "AggregateFeeds", "AggregateSQLite",
      "AggregateState", "AggregateSinks", "AggregateTransport",
    ],
    "AggregateInference": [
      "AggregateCore", "AggregateJSON", "AggregateConfig", "AggregateExpressions",
      "AggregateFormats", "AggregateFeeds", "AggregateTransport", "AggregateRun",
    ],
    "AggregateCLI": [
      "AggregateCore", "AggregateJSON", "AggregateConfig", "AggregateExpressions",
      "AggregateStages", "AggregateFormats", "AggregateFeeds", "AggregateSQLite",
      "AggregateState", "AggregateSinks", "AggregateTransport", "AggregateRun",
      "AggregateInference",
    ],
  ]

  /// A provider knows no other provider, no command, no sink and no run.
  private static let allowedToProviders: Set<String> = [
    "AggregateCore", "AggregateJSON", "AggregateFormats", "AggregateFeeds", "AggregateExpressions",
  ]

  /// C modules that only other C modules include.
  private static let includedOnly: Set<String> = ["CLoading"]

  private static func isC(_ module: String) -> Bool { !module.lowercased().hasPrefix("aggregate") }

  private static func mayImport(_ module: String, in tree: SourceTree) -> Set<String>? {
    if tree.providerModules.contains(module) { return allowedToProviders }
    if module == "AggregateProviders" { return tree.providerModules.union(["AggregateCore"]) }
    if module == "aggregate" { return ["AggregateCLI", "AggregateCore", "AggregateProviders"] }
    return allowed[module]
  }

  /// Arrows point one way.
  static let imports = Rule(
    description: "a module imports only what is below it"
  ) { tree in
    tree.productFiles.flatMap { path -> [Finding] in
      let module = tree.module(of: path)
      guard !isC(module) else { return [] }
      guard let allowed = mayImport(module, in: tree) else {
        return [Finding(place: path, reason: "\(module) is not in the table of this rule")]
      }
      let wrong = tree.imports(of: path).filter { !isC($0) }.subtracting(allowed)
      return wrong.sorted().map { Finding(place: path, reason: "\(module) imports \($0)") }
    }
  }

  /// SwiftPM builds what is imported without being declared, or not, by the order of its work.
  static let declared = Rule(description: "what is imported is declared in Package.swift") { tree in
    let declared = PackageText(tree.files["Package.swift"] ?? "").dependencies
    return tree.productFiles.flatMap { path -> [Finding] in
      let module = tree.module(of: path)
      return tree.imports(of: path).subtracting(declared[module] ?? []).sorted().map {
        Finding(place: path, reason: "\(module) does not declare \($0)")
      }
    }
  }

  /// C stays behind one wrapper.
  static let wrappers = Rule(description: "a C library is imported by one module") { tree in
    let modules = tree.modules.filter(isC).subtracting(includedOnly).filter { module in
      tree.files.keys.contains {
        $0.hasPrefix("Sources/\(module)/") && ($0.hasSuffix(".h") || $0.hasSuffix(".modulemap"))
      }
    }
    return modules.sorted().compactMap { module in
      let importers = Set(
        tree.productFiles.filter { tree.imports(of: $0).contains(module) }
          .map(tree.module(of:)))
      if importers.count == 1 { return nil }
      let names = importers.sorted().joined(separator: ", ")
      return Finding(
        place: "Sources/\(module)",
        reason: importers.isEmpty ? "nobody imports it" : "\(names) import it")
    }
  }
}
