/// Typed access to the options of a source or a stage, after they were checked against their shapes.
///
/// An option that is not given has the default of its spec; where there is none, or where the value
/// is wrong (which was reported when it was checked), the accessors give nil.
public struct Options: Sendable {
  /// The mapping, as written.
  public let node: Node
  private let specs: [String: OptionSpec]

  /// Creates access to the entries of `node`, described by `specs`.
  public init(_ node: Node, specs: [OptionSpec]) {
    self.node = node
    self.specs = Dictionary(specs.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The node of an option as given, without its default.
  public func given(_ name: String) -> Node? {
    node[name].flatMap { $0.isNull ? nil : $0 }
  }

  /// The node of an option, or of its default.
  public func node(_ name: String) -> Node? {
    given(name)
      ?? specs[name]?.defaultText.map { .text($0, at: node.location, plain: true) }
  }

  /// Text.
  public func text(_ name: String) -> String? { node(name)?.string }

  /// A whole number.
  public func int(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

  /// A number.
  public func number(_ name: String) -> Double? { text(name).flatMap { Double($0) } }

  /// A boolean; false when it is not given and has no default.
  public func bool(_ name: String) -> Bool { text(name).flatMap(Self.bool) ?? false }

  /// A duration.
  public func duration(_ name: String) -> Duration? { text(name).flatMap(Quantities.duration) }

  /// A size in bytes.
  public func size(_ name: String) -> Int? { text(name).flatMap(Quantities.size) }

  /// A rate.
  public func rate(_ name: String) -> Quantities.Rate? { text(name).flatMap(Quantities.rate) }

  /// The texts of a list, or the single text that stands for it.
  public func texts(_ name: String) -> [String]? { nodes(name)?.compactMap(\.string) }

  /// The elements of a list, or the single value that stands for it.
  public func nodes(_ name: String) -> [Node]? {
    guard let node = node(name) else { return nil }
    return node.sequence ?? [node]
  }

  /// The entries of a mapping.
  public func entries(_ name: String) -> [Node.Entry]? { node(name)?.mapping }

  /// Access to the options of a nested mapping.
  public func options(_ name: String, specs: [OptionSpec]) -> Options? {
    given(name).map { Options($0, specs: specs) }
  }

  /// The address in an option, without slashes at its end, with `path` behind it.
  ///
  /// - Returns: Nil, with a diagnostic, when it is none.
  public func address(
    _ name: String, path: String = "", _ diagnostics: inout Diagnostics
  ) -> WebURL? {
    let text = text(name) ?? ""
    guard var url = WebURL(text) else {
      diagnostics.error(
        "bad-url", "“\(name)” is not an address: “\(text)”", at: location(name),
        hint: "write it with http:// or https://")
      return nil
    }
    while url.path.hasSuffix("/") { url.path.removeLast() }
    url.path += path
    return url
  }

  /// Where an option was written, or else where its mapping begins.
  public func location(_ name: String) -> SourceLocation {
    given(name)?.location ?? node.location
  }

  /// The boolean that a text means in a boolean field: `true`, `yes`, `on` and their opposites.
  public static func bool(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on": true
    case "false", "no", "off": false
    default: nil
    }
  }
}
