public import AggregateCore

extension ConfigurationLoader {
  /// The configuration with `-p KEY=VALUE` applied to the sources of a run.
  ///
  /// A key that is an option of a source sets it, also inside of a mapping (`retry.attempts`); where
  /// the option takes lists or mappings, the value is read as YAML. Another key is a value for templates.
  public func overriding(
    _ values: [(key: String, value: String)], sources names: [String],
    in configuration: Configuration
  ) -> (Configuration, Diagnostics) {
    var diagnostics = Diagnostics()
    guard !values.isEmpty else { return (configuration, diagnostics) }
    var result = configuration
    var unknown = Set(values.map(\.key))
    var known: [String] = []
    for index in result.sources.indices where names.contains(result.sources[index].name) {
      let old = result.sources[index]
      var node = old.node
      for (key, value) in values {
        let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let location = SourceLocation(
          file: "<command line>", line: 1, column: key.count + 2, text: "\(key)=\(value)")
        if let spec = Self.option(path, in: old.specs) {
          node = node.setting(path[...], to: Self.node(value, spec, location), at: location)
          unknown.remove(key)
        } else {
          let names = old.node.placeholders + (old.node["params"]?.mapping ?? []).map(\.key)
          if names.contains(key) { unknown.remove(key) }
          known += names + old.specs.map(\.name)
          let value = Node.text(value, at: location)
          node = node.setting(["params", key], to: value, at: location)
        }
      }
      // What was not set is not needed when an override stands in its place.
      let unresolved = Self.stillUnresolved(old.unresolved, in: node)
      result.sources[index] = source(
        old.name, old.location,
        Substitution.Result(
          node: node, diagnostics: unresolved,
          failedLines: Set(unresolved.all.compactMap(\.location).map(Substitution.line))),
        &diagnostics)
    }
    for (key, value) in values where unknown.contains(key) && !known.isEmpty {
      diagnostics.error(
        "unknown-parameter",
        "-p \(key): it is no option of \(names.joined(separator: ", ")), and no template uses {\(key)}",
        at: SourceLocation(
          file: "<command line>", line: 1, column: 1, text: "\(key)=\(value)"),
        hint: Suggestions.hint(for: key, in: Array(Set(known)).sorted()))
    }
    return (result, diagnostics)
  }

  private static func stillUnresolved(_ old: Diagnostics, in node: Node) -> Diagnostics {
    let lines = Set(node.scalarLocations.map(Substitution.line))
    var result = Diagnostics()
    for diagnostic in old.all {
      if let place = diagnostic.location, !lines.contains(Substitution.line(of: place)) { continue }
      result.add(diagnostic)
    }
    return result
  }

  private static func option(_ path: [String], in specs: [OptionSpec]) -> OptionSpec? {
    guard let spec = specs.first(where: { $0.name == path[0] }) else { return nil }
    if path.count == 1 { return spec }
    var shapes = [spec.shape]
    while let shape = shapes.popLast() {
      switch shape {
      case .object(let inner):
        if let found = option(Array(path.dropFirst()), in: inner) { return found }
      case .oneOf(let choices, let with):
        if let found = option(Array(path.dropFirst()), in: choices + with) { return found }
      case .map(let value, _) where path.count == 2:
        return OptionSpec(path[1], value, spec.summary)
      case .either(let several): shapes.append(contentsOf: several.reversed())
      default: break
      }
    }
    return nil
  }

  private static func node(
    _ value: String, _ spec: OptionSpec, _ location: SourceLocation
  ) -> Node {
    let plain = Node.text(value, at: location, plain: true)
    guard spec.shape.takesCollections, value.hasPrefix("[") || value.hasPrefix("{") else {
      return plain
    }
    var diagnostics = Diagnostics()
    return YAMLParser.parse(Array(value.utf8), file: location.file, into: &diagnostics) ?? plain
  }
}

extension Shape {
  fileprivate var takesCollections: Bool {
    switch self {
    case .list, .map, .object, .oneOf, .any: true
    case .either(let shapes): shapes.contains(where: \.takesCollections)
    default: false
    }
  }
}

extension Node {
  /// This mapping with the value at `path` set; mappings on the way are made where there are none.
  fileprivate func setting(
    _ path: ArraySlice<String>, to value: Node, at place: SourceLocation
  ) -> Node {
    guard let key = path.first else { return value }
    var entries = mapping ?? []
    let below = self[key] ?? Node(.mapping([]), at: place)
    let entry = Entry(
      key: key, location: place, value: below.setting(path.dropFirst(), to: value, at: place))
    if let index = entries.firstIndex(where: { $0.key == key }) {
      entries[index] = entry
    } else {
      entries.append(entry)
    }
    return Node(.mapping(entries), at: location)
  }

  /// The names that stand in braces in the texts of this node, as templates write them.
  fileprivate var placeholders: [String] {
    switch content {
    case .scalar(let scalar):
      scalar.parts.flatMap { part -> [String] in
        guard case .written(let text) = part else { return [] }
        return text.split(separator: "{").dropFirst(text.hasPrefix("{") ? 0 : 1).compactMap {
          piece in piece.firstIndex(of: "}").map { String(piece[..<$0]) }
        }
      }
    case .sequence(let nodes): nodes.flatMap(\.placeholders)
    case .mapping(let entries): entries.flatMap { $0.value.placeholders }
    }
  }

  fileprivate var scalarLocations: [SourceLocation] {
    switch content {
    case .scalar: [location]
    case .sequence(let nodes): nodes.flatMap(\.scalarLocations)
    case .mapping(let entries): entries.flatMap { $0.value.scalarLocations }
    }
  }
}
