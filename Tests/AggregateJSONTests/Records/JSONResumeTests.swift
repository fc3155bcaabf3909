import AggregateCore
import AggregateJSON
import Testing

struct JSONResumeTests {
  /// The rows of all records but the malformed ones, and how many of those there are.
  private func readSkipping(
    _ text: String, _ separator: RecordSeparator
  ) -> (rows: [String], skipped: Int) {
    let buffer = ByteBuffer(text)
    let reader = JSONRecordReader(schema: RecordFixtures.schema(["a"]))
    var rows: [String] = []
    var skipped = 0
    var start: Int? = 0
    while let from = start {
      let result = reader.read(buffer, in: from..<buffer.count, separator: separator, isLast: true)
      rows += RecordFixtures.rows(result.batches).map { $0[0] }
      if result.failure != nil { skipped += 1 }
      start = result.failure?.resume
    }
    return (rows, skipped)
  }

  @Test(arguments: [
    "{\"a\":x}", "x", "{\"a\":\"", "{\"a\":1", "{\"a\":[1}", "{\"a\":\"\u{1}\"}", "}", "\\\"", "{,",
    "{\"a\":01}",
  ])
  func `the lines around a malformed one are read`(_ bad: String) {
    let read = readSkipping("{\"a\":1}\n\(bad)\n{\"a\":2}\n\(bad)\n\n{\"a\":3}\n", .whitespace)
    #expect(read.rows == ["integer:1", "integer:2", "integer:3"])
    #expect(read.skipped == 2)
  }

  @Test(arguments: ["{\"a\":x}", "x", "{\"a\":[1,,2]}", "", "01", "{\"a\":\"\\q,\"}"])
  func `the elements around a malformed one are read`(_ bad: String) {
    let read = readSkipping("{\"a\":1},\(bad),{\"a\":2},\(bad),{\"a\":3}", .comma)
    #expect(read.rows == ["integer:1", "integer:2", "integer:3"])
    #expect(read.skipped == 2)
  }

  @Test func `the error counts from the beginning of the input`() {
    let failure = RecordFixtures.read("{\"a\":1} {\"a\":tru}", ["a"]).failure
    let error = failure?.error(recordsBefore: 10, bytesBefore: 100)
    #expect(error?.code == .badData)
    #expect(error?.message.contains("record 12 ") == true)
    #expect(error?.message.contains("found “tru”") == true)
    #expect(error?.message.hasSuffix("at byte 113") == true)
  }
}
