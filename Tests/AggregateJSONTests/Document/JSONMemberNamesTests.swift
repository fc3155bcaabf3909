import AggregateCore
import Testing

@testable import AggregateJSON

@Suite struct JSONMemberNamesTests {
  private let text = #"""
    {"a": 1, "b": {"a": [1, {"b": "x\n}"}], "c": null}, "": [], "c": "t", "\u0061b": 2,
     "d": [[], {}, [{"e": "]"}]], "a": {"last": true}, "f": -1.5e3}
    """#

  private func raw(_ document: JSONDocument) -> [String] {
    document.root.members.map { "\($0.key.string ?? "")=\($0.value.rawText)" }
  }

  @Test(arguments: [
    [], ["a"], ["b"], [""], ["c", "f"], ["d"], ["f"], ["none"], ["a", "b", "", "c", "d", "f"],
  ])
  func keepsTheMembersThatAreNamed(_ names: [String]) throws {
    let whole = try JSONDocument(text)
    let part = try JSONDocument(parsing: ByteBuffer(text), members: JSONMemberNames(names))
    // A key with escapes is kept whatever it means.
    let expected = whole.root.members
      .map { (key: $0.key.string ?? "", text: $0.value.rawText) }
      .filter { names.contains($0.key) || $0.key == "ab" }
      .map { "\($0.key)=\($0.text)" }
    #expect(raw(part) == expected)
    #expect(Array(part.root.members).count == expected.count)
  }

  @Test func rootsThatAreNoObjectsAreWhole() throws {
    for text in [#"[{"a": 1, "b": 2}]"#, "3", #""a""#, "{}", "[]"] {
      let part = try JSONDocument(parsing: ByteBuffer(text), members: JSONMemberNames(["b"]))
      #expect(part.root.rawText == text)
    }
    let list = try JSONDocument(
      parsing: ByteBuffer(#"[{"a": 1}]"#), members: JSONMemberNames(["b"]))
    #expect(Array(list.root.elements)[0]["a"]?.int64 == 1)
  }

  @Test(arguments: [
    #"{"a"}"#, #"{"a": }"#, #"{"a": ,"b": 1}"#, #"{"a": 1"#, #"{"a": [1}"#, #"{"a": {}}}"#,
    #"{"a": 1 "b": 2]"#, #"{"a": "x}"#, "{\"a\": \"\u{1}\"}", #"{"a": 1,}"#, #"{"a" 1}"#,
    #"{"a": [}, "b": 1]"#,
  ])
  func nestingOfWhatIsLeftOutIsChecked(_ text: String) {
    #expect(throws: AggregateError.self) {
      try JSONDocument(parsing: ByteBuffer(text), members: JSONMemberNames(["b"]))
    }
  }
}
