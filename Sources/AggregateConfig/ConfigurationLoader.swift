public import AggregateCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Reads and checks a `sources.yaml`: all mistakes in it are found, not only the first.
public struct ConfigurationLoader: Sendable {
  /// The keys of the file.
  static let topLevel = ["version", "defaults", "sources", "pipelines", "tests"]

  let providers: ProviderRegistry
  let stages: StageRegistry
  let redactor: Redactor
  let environment: [String: String]
  /// The keys of every source.
  private let common: [OptionSpec]

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - stages: The stages, and the language of their expressions, which `params:` use, too.
  ///   - redactor: Learns what `${…}` brings in and what options mark as secret.
  ///   - environment: What `${VAR}` means.
  public init(
    providers: ProviderRegistry, stages: StageRegistry, redactor: Redactor,
    environment: [String: String] = ConfigurationLoader.processEnvironment
  ) {
    self.providers = providers
    self.stages = stages
    self.redactor = redactor
    self.environment = environment
    common = CommonOptions.specs(stages.expressions)
  }

  /// Reads and checks the file at `path`, which may be a pipe.
  ///
  /// - Returns: What could be made of it, and all that is wrong with it wherever it is used, ordered by
  ///   place. ``Configuration/unresolved`` has what is wrong only when it is run.
  public func load(path: String) -> (Configuration, Diagnostics) {
    do {
      let bytes = try RegularFile.read(
        path, limit: YAMLParser.maximumSize, allowingPipes: true)
      return load(bytes, path: path)
    } catch {
      var diagnostics = Diagnostics()
      diagnostics.error(
        "config-file", "the configuration “\(path)” can't be read: \(error.message)", at: nil)
      return (Self.empty(path), diagnostics)
    }
  }

  /// Checks the text of a file called `path`.
  public func load(_ bytes: [UInt8], path: String) -> (Configuration, Diagnostics) {
    var diagnostics = Diagnostics()
    guard let root = YAMLParser.parse(bytes, file: path, into: &diagnostics) else {
      return (Self.empty(path), diagnostics.ordered)
    }
    guard root.mapping != nil else {
      diagnostics.error(
        "wrong-type", "the file holds \(root.isNull ? "nothing" : root.shown), not a mapping",
        at: root.location, hint: "begin with “version: 1” and “sources:”")
      return (Self.empty(path), diagnostics.ordered)
    }
    checkTop(root, &diagnostics)
    let substitution = Substitution(
      environment: environment, directory: Self.directory(of: path), redactor: redactor)
    let defaults = self.defaults(root["defaults"], substitution, &diagnostics)
    let sources = entries(root["sources"], "sources", &diagnostics).map {
      source($0, defaults, substitution, &diagnostics)
    }
    let pipelines = entries(root["pipelines"], "pipelines", &diagnostics).map {
      pipeline($0, substitution, &diagnostics)
    }
    let tests = (root["tests"].map { self.tests($0, substitution, &diagnostics) }) ?? []
    let configuration = Configuration(
      path: path, directory: Self.directory(of: path), sources: sources, pipelines: pipelines,
      tests: tests)
    ConfigurationCheck(configuration, stages: stages).run(&diagnostics)
    return (configuration, diagnostics.ordered)
  }

  private func checkTop(_ root: Node, _ diagnostics: inout Diagnostics) {
    for entry in root.mapping ?? [] where !Self.topLevel.contains(entry.key) {
      // Keys that only hold anchors for the rest of the file are a habit of YAML files.
      if entry.key.hasPrefix("x-") || entry.key.hasPrefix(".") { continue }
      diagnostics.error(
        "unknown-key", "unknown key “\(entry.key)”", at: entry.location,
        hint: Suggestions.hint(for: entry.key, in: Self.topLevel))
    }
    if let version = root["version"] {
      if version.string != "1" {
        diagnostics.error(
          "version", "“version” is \(version.shown), but this program reads version 1",
          at: version.location)
      }
    } else {
      diagnostics.error(
        "missing-key", "the key “version” is missing", at: root.location,
        hint: "begin the file with “version: 1”")
    }
    if root["sources"] == nil {
      diagnostics.error(
        "missing-key", "the key “sources” is missing", at: root.location,
        hint: "declare sources under “sources:”")
    }
  }

  private func defaults(
    _ node: Node?, _ substitution: Substitution, _ diagnostics: inout Diagnostics
  ) -> Node? {
    guard let node, !node.isNull else { return nil }
    guard let entries = node.mapping else {
      diagnostics.error(
        "wrong-type", "“defaults” takes a mapping, not \(node.shown)", at: node.location)
      return nil
    }
    let specs = Self.defaults(of: providers, over: common)
    var known = entries
    for entry in entries where !specs.contains(where: { $0.name == entry.key }) {
      let owner = providers.providers.first { provider in
        provider.spec.options.contains { $0.name == entry.key }
      }
      guard let owner else { continue }
      known.removeAll { $0.key == entry.key }
      diagnostics.error(
        "unknown-key", "unknown key “\(entry.key)” in “defaults”", at: entry.location,
        hint: "what only one provider takes goes under its name: "
          + "\(owner.spec.name): { \(entry.key): … }")
    }
    check(known, specs, of: "defaults", in: substitution.apply(to: node), &diagnostics)
    return node
  }

  /// What `defaults:` takes: the keys of every source, and those of each provider under its name.
  static func defaults(
    of providers: ProviderRegistry, over common: [OptionSpec] = CommonOptions.specs
  ) -> [OptionSpec] {
    func optional(_ specs: [OptionSpec]) -> [OptionSpec] {
      specs.map { spec in
        OptionSpec(
          spec.name, spec.shape, default: spec.defaultText, secret: spec.isSecret, spec.summary)
      }
    }
    return optional(common)
      + providers.providers.map { provider in
        OptionSpec(
          provider.spec.name,
          .object(optional(SourceDeclaration.specs(of: provider, over: common))),
          "What holds for the sources of this provider.")
      }
  }

  /// What holds for a source that declares nothing: the defaults of its provider over those of all.
  private func defaults(_ node: Node?, of source: Node) -> Node? {
    guard let node, let entries = node.mapping, source.mapping != nil else { return nil }
    let common = Node(
      .mapping(entries.filter { providers[$0.key] == nil }), at: node.location)
    guard let name = (source["provider"] ?? node["provider"])?.string, let own = node[name],
      own.mapping != nil, providers[name] != nil
    else { return common }
    return own.over(common, .object(SourceDeclaration.specs(of: providers[name])))
  }

  /// The entries of a mapping of named things; none, with a diagnostic, when it is not one.
  private func entries(
    _ node: Node?, _ name: String, _ diagnostics: inout Diagnostics
  ) -> [Node.Entry] {
    guard let node, !node.isNull else { return [] }
    guard let entries = node.mapping else {
      diagnostics.error(
        "wrong-type", "“\(name)” takes a mapping of names, not \(node.shown)", at: node.location)
      return []
    }
    return entries
  }

  func source(
    _ entry: Node.Entry, _ defaults: Node?, _ substitution: Substitution,
    _ diagnostics: inout Diagnostics
  ) -> SourceDeclaration {
    let merged = self.defaults(defaults, of: entry.value).map { under in
      let provider = (entry.value["provider"] ?? under["provider"])?.string
      return entry.value.over(
        under, .object(SourceDeclaration.specs(of: provider.flatMap { providers[$0] })))
    }
    let result = substitution.apply(to: merged ?? entry.value)
    return source(entry.key, entry.location, result, &diagnostics)
  }

  func source(
    _ name: String, _ location: SourceLocation, _ result: Substitution.Result,
    _ diagnostics: inout Diagnostics
  ) -> SourceDeclaration {
    var found = Diagnostics()
    let provider = result.node["provider"]?.string.flatMap { providers[$0] }
    if let entries = result.node.mapping {
      if let node = result.node["provider"], provider == nil, let given = node.string {
        if !result.failedLines.contains(Substitution.line(of: node.location)) {
          found.error(
            "unknown-provider", "there is no provider \(node.shown)", at: node.location,
            hint: Suggestions.hint(for: given, in: providers.names))
        }
        // Without its provider, no one can say which keys a source may have.
        let known = entries.filter { entry in
          common.contains { $0.name == entry.key }
        }
        check(known, common, of: name, at: location, in: result, &found)
      } else if result.node["provider"] == nil {
        let own = providers.providers.flatMap { $0.spec.options }
        let known = entries.filter { entry in !own.contains { $0.name == entry.key } }
        check(known, common, of: name, at: location, in: result, &found)
      } else {
        let specs = SourceDeclaration.specs(of: provider, over: common)
        check(entries, specs, of: name, at: location, in: result, &found)
        Shape.object(specs).registerSecrets(of: result.node, with: redactor)
        WrittenSecrets.register(result.node, with: redactor)
      }
    } else {
      found.error(
        "wrong-type", "the source “\(name)” is \(result.node.shown), not a mapping",
        at: result.node.location, hint: "its key “provider” says what reads it")
    }
    var computed = Diagnostics()
    let options = SourceOptions(result.node, in: stages.expressions, &computed)
    // A value that follows from a variable that is not set, or from a mistake told above, says nothing.
    if !found.hasErrors, !result.diagnostics.hasErrors { found.add(contentsOf: computed) }
    for diagnostic in found.all {
      // What is wrong in the defaults is told there, not once more for every source.
      let isTold = diagnostics.all.contains {
        $0.location == diagnostic.location
          && ($0.message.hasPrefix("“defaults.")
            || ($0.code == "unknown-key" && diagnostic.code == "unknown-key"))
      }
      if !isTold { diagnostics.add(diagnostic) }
    }
    return SourceDeclaration(
      name: name, location: location, node: result.node, provider: provider,
      options: options, unresolved: result.diagnostics,
      // A misspelt key keeps the file from running, but not the rest of the source from being checked.
      isValid: !found.all.contains { $0.severity == .error && $0.code != "unknown-key" })
  }

  private func pipeline(
    _ entry: Node.Entry, _ substitution: Substitution, _ diagnostics: inout Diagnostics
  ) -> PipelineDeclaration {
    let result = substitution.apply(to: entry.value)
    if let entries = result.node.mapping {
      check(
        entries, PipelineDeclaration.specs, of: entry.key, at: entry.location, in: result,
        &diagnostics)
    } else {
      diagnostics.error(
        "wrong-type", "the pipeline “\(entry.key)” is \(result.node.shown), not a mapping",
        at: result.node.location, hint: "its key “merge” lists its sources")
    }
    return PipelineDeclaration(entry, node: result.node, unresolved: result.diagnostics)
  }

  private func tests(
    _ node: Node, _ substitution: Substitution, _ diagnostics: inout Diagnostics
  ) -> [TestDeclaration] {
    if node.isNull { return [] }
    guard let nodes = node.sequence else {
      diagnostics.error(
        "wrong-type", "“tests” takes a list, not \(node.shown)", at: node.location)
      return []
    }
    return nodes.map { node in
      let result = substitution.apply(to: node)
      if let entries = result.node.mapping {
        check(
          entries, TestDeclaration.specs, of: "tests", at: node.location, in: result,
          &diagnostics)
      } else {
        diagnostics.error(
          "wrong-type", "a test is a mapping, not \(node.shown)", at: node.location)
      }
      return TestDeclaration(result.node, unresolved: result.diagnostics)
    }
  }

  /// Checks entries against their options; what follows only from a variable that is not set is left out.
  private func check(
    _ entries: [Node.Entry], _ specs: [OptionSpec], of name: String,
    at location: SourceLocation? = nil,
    in result: Substitution.Result, _ diagnostics: inout Diagnostics
  ) {
    var found = Diagnostics()
    let filled = result.node.mapping ?? []
    let checked = filled.filter { entry in entries.contains { $0.key == entry.key } }
    Shape.checkEntries(
      checked, specs, of: name, at: location ?? result.node.location, into: &found)
    for diagnostic in found.all {
      if let place = diagnostic.location,
        result.failedLines.contains(Substitution.line(of: place))
      {
        continue
      }
      diagnostics.add(diagnostic)
    }
  }

  private static func empty(_ path: String) -> Configuration {
    Configuration(
      path: path, directory: directory(of: path), sources: [], pipelines: [], tests: [])
  }

  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The environment of this process.
  public static var processEnvironment: [String: String] {
    var result: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        result[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      next += 1
    }
    return result
  }
}

extension Node {
  /// This mapping with the entries of `defaults` under it; mappings in both are merged as well.
  ///
  /// Of what takes one of several keys, such as `auth`, the own key stands instead of another one.
  func over(_ defaults: Node, _ shape: Shape? = nil) -> Node {
    guard let own = mapping, let under = defaults.mapping else { return self }
    var entries = own.map { entry in
      guard let below = defaults[entry.key], let members = entry.value.mapping,
        let others = below.mapping
      else { return entry }
      let shape = shape?.member(entry.key)
      var merged = below
      if let choices = shape?.choices {
        let names = Set(choices.map(\.name))
        if let chosen = members.first(where: { names.contains($0.key) }) {
          merged = Node(
            .mapping(others.filter { $0.key == chosen.key || !names.contains($0.key) }),
            at: below.location)
        }
      }
      return Entry(
        key: entry.key, location: entry.location,
        value: entry.value.over(merged, shape))
    }
    for entry in under where self[entry.key] == nil { entries.append(entry) }
    return Node(.mapping(entries), at: location)
  }
}

extension Shape {
  /// The shape of a member of mappings of this shape; nil when any is taken.
  fileprivate func member(_ key: String) -> Shape? {
    switch self {
    case .object(let options): options.first { $0.name == key }?.shape
    case .oneOf(let options, let with): (options + with).first { $0.name == key }?.shape
    case .map(let value, _): value
    case .either(let shapes): shapes.lazy.compactMap { $0.member(key) }.first
    default: nil
    }
  }

  /// The keys of which it takes exactly one; nil when it is no such shape.
  fileprivate var choices: [OptionSpec]? {
    switch self {
    case .oneOf(let options, _): options
    case .either(let shapes): shapes.lazy.compactMap(\.choices).first
    default: nil
    }
  }
}

extension Diagnostics {
  /// The same, ordered by place.
  var ordered: Diagnostics {
    var result = Diagnostics()
    for diagnostic in sorted { result.add(diagnostic) }
    return result
  }
}
