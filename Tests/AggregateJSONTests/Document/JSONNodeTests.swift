import AggregateCore
import AggregateJSON
import Testing

@Suite struct JSONNodeTests {
  @Test func membersAreFoundByExactKeyAndTheLastWins() throws {
    let root = try JSONDocument(
      #"{"a": 1, "b": {"a": 2}, "a": 3, "é": 4, "n\u006fte": 5, "": 6}"#
    ).root
    #expect(root["a"]?.int64 == 3)
    #expect(root["b"]?["a"]?.int64 == 2)
    #expect(root["é"]?.int64 == 4)
    #expect(root["e\u{301}"] == nil)
    #expect(root["note"]?.int64 == 5)
    #expect(root[""]?.int64 == 6)
    #expect(root["A"] == nil)
    #expect(root[0] == nil)
    #expect(root.count == 6)
    #expect(root.members.map { $0.key.string ?? "?" } == ["a", "b", "a", "é", "note", ""])
  }

  @Test func elementsSkipWholeSubtrees() throws {
    let root = try JSONDocument(#"[[1,[2,{"x":[3]}]], {"a":[]}, "z"]"#).root
    #expect(root.elements.map(\.rawText) == [#"[1,[2,{"x":[3]}]]"#, #"{"a":[]}"#, #""z""#])
    #expect(root[2]?.string == "z")
    #expect(root[3] == nil)
    #expect(root[-1] == nil)
    #expect(root["a"] == nil)
    #expect(Array(root.members).isEmpty)
    #expect(Array(try #require(root[2]).elements).isEmpty)
  }

  @Test(arguments: [
    ("12", 12), ("12.0", 12), ("1e3", 1000), ("1.5e1", 15), ("-0", 0), ("-0.0", 0), ("120e-1", 12),
    ("9223372036854775807", Int64.max), ("-9223372036854775808", .min), ("0e999999999999", 0),
  ])
  func wholeNumbersAreExact(text: String, value: Int64) throws {
    #expect(try JSONDocument(text).root.int64 == value)
  }

  @Test(arguments: [
    "1.5", "9223372036854775808", "1e19", "1e400", "1e-1", "\"1\"", "true",
    "1e99999999999999999999",
  ])
  func otherNumbersAreNoInt(text: String) throws {
    #expect(try JSONDocument(text).root.int64 == nil)
  }

  @Test func valuesKeepWhatWasSent() throws {
    let root = try JSONDocument(#"[1.10, 1e400, "a\n\ud83d\ude00", "\ud800", true, null, 1e-400]"#)
      .root
    #expect(root[0]?.numberText == "1.10")
    #expect(root[0]?.double == 1.1)
    #expect(root[1]?.double == nil)
    #expect(root[1]?.numberText == "1e400")
    #expect(root[2]?.string == "a\n😀")
    #expect(root[2]?.kind == .escapedText)
    #expect(root[2]?.rawText == #""a\n\ud83d\ude00""#)
    #expect(root[3]?.string == "\u{FFFD}")
    #expect(root[4]?.bool == true)
    #expect(root[5]?.isNull == true)
    #expect(root[6]?.double == 0)
    #expect(root[4]?.string == nil)
  }

  @Test func minifiedTextLosesWhiteSpaceOnly() throws {
    let root = try JSONDocument(" { \"a b\" : [ 1.0 ,\t\"c \\\" d\" ] \n} ").root
    #expect(root.minified == "{\"a b\":[1.0,\"c \\\" d\"]}")
  }

  @Test func cellsCanBeUsedInBatches() throws {
    let root = try JSONDocument(#"{"a":"xy"}"#).root
    #expect(root["a"]?.cell == Cell(.text, offset: 6, length: 2))
    #expect(root.cell == Cell(.object, offset: 0, length: 10))
  }
}
