import AggregateCore
import AggregateJSON
import Testing

struct JSONChunkerTests {
  static let sizes = [1, 2, 3, 7, 64, 4096]

  static let documents = [
    "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n",
    "{\"a\":1}{\"a\":2} [3]\r\n\r\n\"x\"\n5 6\n7",
    "{\n  \"a\": {\n    \"b\": \"}\\n{\"\n  }\n}\n{\n  \"a\": [\n    1,\n    {\n    }\n  ]\n}\n\n\n12\n13\n",
    "\u{FEFF}{\"a\":\"é{[\\\"\\\\\"}\n\n{}\n", "", " \n\n", "[\n1\n]\n\"\\\\\"\n[\n]",
  ]

  @Test(arguments: sizes, sizes)
  func `documents give the same rows whatever the block and chunk sizes`(
    _ blockSize: Int, _ chunkSize: Int
  ) {
    for text in Self.documents {
      let plain = text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
      let whole = RecordFixtures.read(plain, ["a", "value"], isOpen: true)
      #expect(whole.failure == nil)
      for isEager in [false, true] {
        let streamed = RecordFixtures.stream(
          Array(text.utf8), mode: .documents, paths: ["a", "value"], blockSize: blockSize,
          chunkSize: chunkSize, isEager: isEager)
        #expect(streamed.error == nil, "\(text)")
        #expect(streamed.rows == RecordFixtures.rows(whole.batches), "\(text)")
      }
    }
  }

  static let arrays = [
    "[]", " [ ] \n", "[1]", "[{\"a\":\"],[\"},[1,2],{\"a\":{\"b\":[]}} , \"x,\\\"]\" ,\n3]\n",
    "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": 2\n  }\n]\n",
  ]

  @Test(arguments: sizes, sizes)
  func `arrays give the same rows whatever the block and chunk sizes`(
    _ blockSize: Int, _ chunkSize: Int
  ) {
    for text in Self.arrays {
      let inside = text.drop { $0.isWhitespace }.dropFirst().reversed().drop { $0 != "]" }
        .dropFirst().reversed()
      let whole = RecordFixtures.read(
        String(inside), ["a", "value"], isOpen: true, separator: .comma)
      #expect(whole.failure == nil)
      for mode in [JSONChunker.Mode.array, .arrayOrSingle] {
        for isEager in [false, true] {
          let streamed = RecordFixtures.stream(
            Array(text.utf8), mode: mode, paths: ["a", "value"], blockSize: blockSize,
            chunkSize: chunkSize, isEager: isEager)
          #expect(streamed.error == nil, "\(text)")
          #expect(streamed.rows == RecordFixtures.rows(whole.batches), "\(text)")
        }
      }
    }
  }

  @Test(arguments: sizes, sizes)
  func `malformed arrays give the rows before the fault, then an error`(
    _ blockSize: Int, _ chunkSize: Int
  ) {
    for (text, rows) in [
      ("[{\"a\":1},{\"a\":2}", 2), ("[{\"a\":1},{\"a\":2}}", 2), ("[{\"a\":1},{\"a\":2}] x", 2),
      ("[{\"a\":1},,{\"a\":2}]", 1), ("[{\"a\":1},]", 1), ("[,]", 0), ("[", 0), ("{\"a\":1}", 0),
      ("[{\"a\":1},{\"a\":x},{\"a\":2}]", 1), ("[{\"a\":1},{\"a\":\"", 1), ("[1][2]", 1), ("]", 0),
      ("[{\"a\":1},{\"a\":[1}]", 1),
    ] {
      let streamed = RecordFixtures.stream(
        Array(text.utf8), mode: .array, paths: ["a"], blockSize: blockSize, chunkSize: chunkSize)
      #expect(streamed.rows.count == rows, "\(text)")
      #expect(streamed.error != nil, "\(text)")
    }
  }

  @Test(arguments: sizes, sizes)
  func `a malformed document stops after the rows before it`(_ blockSize: Int, _ chunkSize: Int) {
    let text = "{\"a\":1}\n{\"a\":2}\n{\"a\":x}\n{\"a\":4}\n"
    let streamed = RecordFixtures.stream(
      Array(text.utf8), mode: .documents, paths: ["a"], blockSize: blockSize, chunkSize: chunkSize)
    #expect(streamed.rows.count == 2)
    #expect(streamed.error?.contains("record 3") == true)
    #expect(streamed.error?.contains("at byte 21") == true)
  }

  @Test func `where it cuts does not depend on the blocks`() throws {
    let text = (0..<300).map { "{\"a\":\($0)}\($0 % 3 == 0 ? " " : "\n")" }.joined()
    func cuts(_ blockSize: Int) throws -> [Int] {
      var chunker = JSONChunker(mode: .documents, targetSize: 100)
      var offsets: [Int] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        rest.prefix(blockSize).withUnsafeBytes { chunker.append($0) }
        rest = rest.dropFirst(blockSize)
        while let chunk = try chunker.next() {
          offsets.append(chunk.offset + chunk.range.lowerBound)
        }
      }
      chunker.finish()
      while let chunk = try chunker.next() { offsets.append(chunk.offset + chunk.range.lowerBound) }
      return offsets
    }
    let expected = try cuts(1)
    #expect(expected.count > 20)
    for size in [2, 3, 7, 100, 5000] { #expect(try cuts(size) == expected) }
  }

  @Test(arguments: [1000, 4096], [64, 1000, 100_000])
  func `large inputs of every form give all rows in order`(_ blockSize: Int, _ chunkSize: Int) {
    let records = (0..<2000).map { index in
      let text = String(repeating: ["}", "\\\\", "\\\"", "{[", "é"][index % 5], count: index % 70)
      return "{\"a\":\(index),\"t\":\"\(text)\",\"n\":{\"l\":[[],{},[\(index)]]}}"
    }
    for (mode, text) in [
      (JSONChunker.Mode.array, "[" + records.joined(separator: ",") + "]"),
      (.array, "[\n" + records.joined(separator: "\n,\n") + "\n]\n"),
      (.documents, records.joined()), (.documents, records.joined(separator: "\n")),
      (.documents, records.joined(separator: " \r\n \n")),
    ] {
      let streamed = RecordFixtures.stream(
        Array(text.utf8), mode: mode, paths: ["a", "t", "n"], blockSize: blockSize,
        chunkSize: chunkSize)
      #expect(streamed.error == nil)
      #expect(streamed.rows.map { $0[0] } == (0..<2000).map { "integer:\($0)" })
    }
  }

  @Test(arguments: [
    ("[{\"a\":1}]", JSONChunker.Mode.array), (" [1", .array), ("[1]\n[2]", .documents),
    ("\u{FEFF}[\"]\"]\n", .array), ("{\"a\":1}", .documents), ("", .documents), ("[1]]", .array),
    ("[1]{", .documents), ("1 [2]", .documents),
  ])
  func `the mode is detected from the first bytes`(_ text: String, _ mode: JSONChunker.Mode) {
    #expect(Array(text.utf8).withUnsafeBytes { JSONChunker.mode(of: $0) } == mode)
  }

  @Test func `an eager caller gets whole lines at once and never part of a document`() throws {
    var chunker = JSONChunker(mode: .documents)
    func add(_ text: String) throws -> Int? {
      Array(text.utf8).withUnsafeBytes { chunker.append($0) }
      return try chunker.next(isEager: true).map { $0.range.count }
    }
    #expect(try add("{\"a\":1}\n") == 8)
    #expect(try add("{\"a\":[{\n}\n") == nil)
    #expect(try add("]}\n") == 13)
  }

  @Test func `a single document is one chunk and scalars need no array`() {
    let streamed = RecordFixtures.stream(
      Array(" {\"a\":1}\n".utf8), mode: .arrayOrSingle, paths: ["a"], blockSize: 2, chunkSize: 1)
    #expect(streamed.rows == [["integer:1", "-"]])
    let two = RecordFixtures.stream(
      Array("{}{}".utf8), mode: .single, paths: ["a"], blockSize: 2, chunkSize: 1)
    #expect(two.error != nil)
  }
}
