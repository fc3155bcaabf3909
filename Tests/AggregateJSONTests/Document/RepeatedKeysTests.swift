import AggregateCore
import Testing

@testable import AggregateJSON

@Suite struct RepeatedKeysTests {
  private func first(_ text: String, of names: [String] = ["a", "b"]) throws -> String? {
    let document = try JSONDocument(text)
    return RepeatedKeys(of: names).first(in: document.root.elements)
  }

  @Test(arguments: [
    "[]", "[1, null, [], {}]", #"[{"a": 1, "b": 2}, {"a": 3, "b": 4}, {"b": 5, "a": 6}]"#,
    #"[{"c": 1, "c": 2, "a": 1}, {"c": 1, "c": 2, "a": 1}]"#, #"[{"a": {"a": 1, "b": {"b": 1}}}]"#,
    #"[{"a": [{"b": 1}, {"b": 2}]}]"#, #"[{"aa": 1, "a": 2, "": 3, "\u00e4": 4, "ä": 5}]"#,
  ])
  func nothingIsFoundWhereNothingIsTwice(text: String) throws {
    #expect(try first(text) == nil)
  }

  @Test(arguments: [
    (#"[{"a": 1, "a": 2}]"#, "a"), (#"[{"a": 1, "b": 2}, {"a": 1, "b": 2, "b": 3}]"#, "b"),
    (#"[{"a": 1, "b": 2}, {"a": 1, "a": 2}]"#, "a"),
    (#"[1, {"b": 1, "c": {"b": 2}, "b": 3}]"#, "b"),
    (#"[{"a": 1, "\u0061": 2}]"#, "a"), (#"[{"x": 1}, {"x": 1}, {"b": 1, "b": 1}]"#, "b"),
  ])
  func keyThatIsTwiceIsFound(text: String, key: String) throws {
    #expect(try first(text) == key)
  }

  @Test func keyWithAnEscapeIsNotTakenForAnother() throws {
    // Both keys of the second object are as long as those of the first.
    #expect(try first(#"[{"a": 1, "cccccc": 2}, {"a": 1, "\u0061": 2}]"#) == "a")
    #expect(try first(#"[{"a": 1, "c": 2}, {"a": 1, "a": 2}]"#) == "a")
  }
}
