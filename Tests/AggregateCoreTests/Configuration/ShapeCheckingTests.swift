import AggregateCore
import Testing

@Suite struct ShapeCheckingTests {
  static let place = SourceLocation(file: "f", line: 1, column: 1)

  static func text(_ text: String, plain: Bool = true) -> Node {
    .text(text, at: place, plain: plain)
  }

  static func mapping(_ entries: (String, Node)...) -> Node {
    Node(
      .mapping(entries.map { Node.Entry(key: $0.0, location: place, value: $0.1) }), at: place)
  }

  static func list(_ nodes: Node...) -> Node { Node(.sequence(nodes), at: place) }

  func mistakes(_ shape: Shape, _ node: Node) -> [String] {
    var diagnostics = Diagnostics()
    shape.check(node, name: "x", into: &diagnostics)
    return diagnostics.all.map { $0.message + ($0.hint.map { "; \($0)" } ?? "") }
  }

  @Test(arguments: [
    (Shape.int(1...9), "5", true), (.int(1...9), "10", false), (.int(1...9), "5.0", false),
    (.number, "1e3", true), (.number, "nan", false), (.number, "inf", false), (.bool, "Yes", true),
    (.bool, "1", false), (.duration, "30s", true), (.duration, "30", false),
    (.size, "50MB", true), (.size, "50", false), (.rate, "60/min", true), (.rate, "0/min", false),
    (.choice(["a", "b"]), "b", true), (.choice(["a", "b"]), "c", false), (.text, "null", false),
    (.list(of: .text, orSingle: true), "a", true), (.list(of: .text, orSingle: false), "a", false),
    (.either([.duration, .object([])]), "3s", true),
    (.either([.duration, .object([])]), "3", false),
    (.any, "null", true),
  ])
  func scalarsFitOrDoNot(_ shape: Shape, _ text: String, _ fits: Bool) {
    #expect(mistakes(shape, Self.text(text)).isEmpty == fits)
  }

  @Test func quotedNullIsText() {
    #expect(mistakes(.text, Self.text("null", plain: false)).isEmpty)
  }

  @Test func unquotedTemplatesAreExplained() {
    let node = Self.mapping(("name", Self.text("")))
    let wanted = "“x” takes text, not a mapping; text with braces must be quoted: \"{name}\""
    #expect(mistakes(.template, node) == [wanted])
    let either = Shape.either([
      .template, .object([OptionSpec("path", .text, required: true, "Where.")]),
    ])
    #expect(mistakes(either, node).first?.contains("must be quoted: \"{name}\"") == true)
    #expect(mistakes(.map(of: .any, keys: "k"), node).isEmpty)
  }

  @Test func exactlyOneKeyIsTaken() {
    let shape = Shape.oneOf(
      [OptionSpec("a", .text, "A."), OptionSpec("b", .text, "B.")],
      with: [OptionSpec("c", .text, "C.")])
    #expect(mistakes(shape, Self.mapping(("a", Self.text("1")), ("c", Self.text("1")))).isEmpty)
    #expect(mistakes(shape, Self.mapping(("c", Self.text("1")))).count == 1)
    #expect(
      mistakes(shape, Self.mapping(("a", Self.text("1")), ("b", Self.text("1"))))
        == ["“x” takes exactly one of a, b, but has a and b"])
  }

  @Test func mistakesInsideOfTextPointThere() {
    let shape = Shape.parsed(kind: "an even text") { text in
      text.count % 2 == 0 ? nil : Shape.Mistake("odd", offset: 2)
    }
    for (plain, column) in [(true, 3), (false, 4)] {
      var diagnostics = Diagnostics()
      shape.check(Self.text("abc", plain: plain), name: "x", into: &diagnostics)
      #expect(diagnostics.all.first?.location?.column == column)
    }
  }

  @Test func secretsAreFoundWhereverTheyLie() {
    let secret = OptionSpec("key", .any, secret: true, "Key.")
    let shape = Shape.object([
      OptionSpec("one", .oneOf([OptionSpec("in", .object([secret]), "In.")], with: []), "One."),
      OptionSpec("many", .list(of: .either([.text, .object([secret])]), orSingle: true), "Many."),
    ])
    let redactor = Redactor()
    shape.registerSecrets(
      of: Self.mapping(
        ("one", Self.mapping(("in", Self.mapping(("key", Self.text("first-one")))))),
        ("many", Self.list(Self.mapping(("key", Self.list(Self.text("second-one"))))))),
      with: redactor)
    #expect(redactor.redact("first-one second-one third-one") == "*** *** third-one")
  }
}
