import AggregateCore
import Testing

@testable import AggregateREST

@Suite struct TemplateTests {
  func template(_ parts: Node.Scalar.Part...) -> Template {
    Template(Node.Scalar(parts: parts, isPlain: true))
  }

  @Test(arguments: [
    ("{a}", "va/1"), ("x{a}y{b}", "xva/1yv b"), ("{{a}}", "{a}"), ("{{{a}}}", "{va/1}"),
    ("{ a }", "{ a }"),
    ("{\"k\": {a}}", "{\"k\": va/1}"), ("{", "{"), ("}", "}"), ("", ""), ("{a", "{a"), ("{}", "{}"),
    ("{a-1}", ""), ("{1}", "{1}"),
  ])
  func namesAreReplaced(_ text: String, _ wanted: String) {
    #expect(template(.written(text)).expanded(["a": "va/1", "b": "v b"]) == wanted)
  }

  @Test func whatWasSubstitutedIsNotLookedInto() {
    let template = template(.written("{a}"), .substituted("{b} {{"))
    #expect(template.names == ["a"])
    #expect(template.expanded(["a": "1", "b": "2"]) == "1{b} {{")
    #expect(template.hasSecret)
  }

  @Test(arguments: [
    ("http://h/{a}/x", "http://h/va/1%20%3F%26/x"),
    ("http://h/x?q={a}", "http://h/x?q=va%2F1%20%3F%26"),
    ("{u}", "http://o/p?q=1"), ("{u}/x", "http%3A//o/p%3Fq%3D1/x"),
  ])
  func valuesAreEncodedByPlace(_ text: String, _ wanted: String) {
    let values = ["a": "va/1 ?&", "u": "http://o/p?q=1"]
    #expect(template(.written(text)).expandedURL(values) == wanted)
  }
}
