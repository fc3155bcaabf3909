/// The description of a stage: one for YAML, command line, help, reference and tests.
public struct StageSpec: Sendable {
  /// What stands for the whole mapping when it is not written out.
  public enum Shorthand: Sendable {
    /// A scalar or a list is the value of this option: `filter: temp > 20`, `select: [a, b]`.
    case value(String)
    /// The mapping's entries are the value of this option: `rename: { old: new }`.
    case entries(String)
    /// The mapping is always written out.
    case none
  }

  /// The name: YAML key and subcommand, in snake_case.
  public let name: String
  /// One sentence that says what it does.
  public let summary: String
  /// The options of the mapping form.
  public let options: [OptionSpec]
  /// What may stand for the whole mapping.
  public let shorthand: Shorthand
  /// Options that stand as words behind the subcommand, in order.
  public let positionals: [String]
  /// Some paragraphs for the reference page.
  public let discussion: String
  /// A complete example as it stands in a `stages:` list, without the dash.
  public let example: String

  /// Creates a description.
  public init(
    _ name: String, _ summary: String, options: [OptionSpec], shorthand: Shorthand,
    positionals: [String] = [], discussion: String = "", example: String
  ) {
    self.name = name
    self.summary = summary
    self.options = options
    self.shorthand = shorthand
    self.positionals = positionals
    self.discussion = discussion
    self.example = example
  }

  /// The mapping form of `node`, which may be a shorthand. A mapping whose keys are not all options
  /// of the stage is taken for entries where the stage has that shorthand.
  public func mappingForm(of node: Node) -> Node {
    func wrapped(_ option: String) -> Node {
      Node(
        .mapping([Node.Entry(key: option, location: node.location, value: node)]),
        at: node.location)
    }
    switch shorthand {
    case .entries(let option): return node.mapping == nil ? node : wrapped(option)
    case .value(let option):
      return node.mapping == nil && !node.isNull ? wrapped(option) : emptied(node)
    case .none: return emptied(node)
    }
  }

  private func emptied(_ node: Node) -> Node {
    node.isNull ? Node(.mapping([]), at: node.location) : node
  }
}

/// The stages that this program knows, by name. Instantiable, for tests.
public struct StageRegistry: Sendable {
  /// All stages, in the order they are listed.
  public let stages: [any Stage.Type]
  /// Makes the stage that asserts the `expect` of a source, given the source's name.
  public typealias MakeExpectation =
    @Sendable (String, Options, inout Diagnostics) -> any Stage
  /// Makes the stage that asserts the `expect` of a source; nil when nothing does.
  public let expectation: MakeExpectation?
  /// The language of the expressions that stages take; nil when none does.
  public let expressions: (any ExpressionLanguage)?

  /// Creates a registry; names must be unique.
  public init(
    _ stages: [any Stage.Type], expressions: (any ExpressionLanguage)? = nil,
    expectation: MakeExpectation? = nil
  ) {
    self.stages = stages
    self.expressions = expressions
    self.expectation = expectation
  }

  /// The names, in order.
  public var names: [String] { stages.map { $0.spec.name } }

  /// The stage of this name.
  public subscript(name: String) -> (any Stage.Type)? {
    stages.first { $0.spec.name == name }
  }

  /// Makes the stage that `node`, an item of a `stages:` list (`{ name: options }`), declares.
  ///
  /// Nil, with diagnostics, when it is not well-formed.
  public func make(_ node: Node, _ diagnostics: inout Diagnostics) -> (any Stage)? {
    guard let entries = node.mapping, entries.count == 1, let entry = entries.first else {
      if let name = node.string, self[name] != nil {
        let whole = Node(
          .mapping([
            Node.Entry(
              key: name, location: node.location, value: .text("", at: node.location, plain: true))
          ]), at: node.location)
        return make(whole, &diagnostics)
      }
      diagnostics.error(
        "stage-form", "a stage is a mapping with one key, its name, not \(node.shown)",
        at: node.mapping?.dropFirst().first?.location ?? node.location,
        hint: "write one stage per list item, such as “- head: 10”")
      return nil
    }
    guard let type = self[entry.key] else {
      diagnostics.error(
        "unknown-stage", "unknown stage “\(entry.key)”", at: entry.location,
        hint: Suggestions.hint(for: entry.key, in: names))
      return nil
    }
    return make(type, entry.value, &diagnostics)
  }

  /// Makes a stage of `type` from its options node, which may be a shorthand.
  public func make(
    _ type: any Stage.Type, _ node: Node, _ diagnostics: inout Diagnostics
  ) -> (any Stage)? {
    let spec = type.spec
    let mapping = spec.mappingForm(of: node)
    var found = Diagnostics()
    Shape.object(spec.options).check(mapping, name: spec.name, into: &found)
    var stage: (any Stage)?
    if !found.hasErrors { stage = type.init(Options(mapping, specs: spec.options), &found) }
    diagnostics.add(contentsOf: found)
    return found.hasErrors ? nil : stage
  }
}
