import AggregateCore
import AggregateJSON
import Testing

struct JSONRecordReaderTests {
  private func rows(
    _ text: String, _ paths: [String], isOpen: Bool = false
  ) -> [[String]] {
    let result = RecordFixtures.read(text, paths, isOpen: isOpen)
    #expect(result.failure == nil, "\(result.failure?.reason ?? "")")
    return RecordFixtures.rows(result.batches)
  }

  @Test(arguments: [
    ("1.10", "real"), ("1E5", "real"), ("-0", "integer"), ("1e400", "real"), ("0", "integer"),
    ("123456789012345678901234567890", "integer"), ("-0.0e-0", "real"),
  ])
  func `numbers keep their text`(_ text: String, _ kind: String) {
    #expect(rows("{\"v\": \(text) }", ["v"]) == [["\(kind):\(text)"]])
    #expect(rows("{\"v\":\(text)}", ["v"]) == [["\(kind):\(text)"]])
    #expect(rows(text, ["value"]) == [["\(kind):\(text)"]])
  }

  @Test func `absent, null and empty text are kept apart`() {
    let text = "{\"v\":null}\n{}\n{\"v\":\"\"}\n"
    #expect(rows(text, ["v"]) == [["null:null"], ["-"], ["text:"]])
  }

  @Test func `each kind of value becomes its kind of cell`() {
    let text = #"{"a":"x","b":"x\n","c":1,"d":1.0,"e":true,"f":false,"g":{"h":[1, 2]},"i":[ ]}"#
    #expect(
      rows(text, ["a", "b", "c", "d", "e", "f", "g", "i"]) == [
        [
          "text:x", #"escapedText:x\n"#, "integer:1", "real:1.0", "true:true", "false:false",
          #"object:{"h":[1, 2]}"#, "array:[ ]",
        ]
      ])
  }

  @Test func `paths lead through objects and arrays, and to inner nodes at once`() {
    let text = #"{"a":{"b":{"c":1},"l":[10,{"x":20},[30,31]]}} {"a":{"l":{"1":5}}} {"a":7}"#
    #expect(
      rows(text, ["a.b.c", "a.b", "a.l.0", "a.l.1.x", "a.l.2.1", "a.l.1", "a.l.9"]) == [
        [
          "integer:1", #"object:{"c":1}"#, "integer:10", "integer:20", "integer:31",
          #"object:{"x":20}"#, "-",
        ],
        ["-", "-", "-", "-", "-", "integer:5", "-"],
        ["-", "-", "-", "-", "-", "-", "-"],
      ])
  }

  @Test func `one path may fill two columns and the whole record a third`() {
    let schema = Schema([ColumnSpec("x"), ColumnSpec("y"), ColumnSpec("all")])
    let reader = JSONRecordReader(schema: schema, paths: [["a"], ["a"], []])
    let buffer = ByteBuffer(#" {"a":1} [2] "#)
    let result = reader.read(buffer, in: 0..<buffer.count, separator: .whitespace, isLast: true)
    #expect(
      RecordFixtures.rows(result.batches) == [
        ["integer:1", "integer:1", #"object:{"a":1}"#], ["-", "-", "array:[2]"],
      ])
  }

  @Test func `keys are compared by what their escapes mean`() {
    let text = #"{"\u0061":1,"b\/c":2,"é":3,"\ud83d\ude00":4,"\ud800":5}"#
    #expect(
      rows(text, ["a", "b/c", "é", "😀", "\u{FFFD}"]) == [
        ["integer:1", "integer:2", "integer:3", "integer:4", "integer:5"]
      ])
  }

  @Test func `keys may change their order and number from record to record`() {
    let text =
      #"{"a":1,"longer key":2,"c":3} {"c":6,"a":4} {"longer kez":0,"longer key":5,"a":7} {"c":1}"#
    #expect(
      rows(text, ["a", "longer key", "c"]) == [
        ["integer:1", "integer:2", "integer:3"], ["integer:4", "-", "integer:6"],
        ["integer:7", "integer:5", "-"], ["-", "-", "integer:1"],
      ])
  }

  @Test func `the last of equal keys counts, with nothing left of the first`() {
    let text = #"{"a":1,"a":2,"o":{"x":1,"y":2},"o":{"y":3}} {"a":1}"#
    let result = RecordFixtures.read(text, ["a", "o.x", "o.y"])
    #expect(
      RecordFixtures.rows(result.batches) == [
        ["integer:2", "-", "integer:3"], ["integer:1", "-", "-"],
      ])
    #expect(result.duplicateKey == "a")
    #expect(RecordFixtures.read(#"{"a":1} {"a":2}"#, ["a"]).duplicateKey == nil)
  }

  @Test func `an open schema gathers other keys, the last of equal ones counting`() {
    let text = #"{"b":1,"a":2,"c":{"d":[]},"b":"x"} {"a":1} {"\u0062":1,"b":2} 5"#
    let result = RecordFixtures.read(text, ["a"], isOpen: true)
    #expect(
      RecordFixtures.rows(result.batches) == [
        ["integer:2", #"object:{"b":"x","c":{"d":[]}}"#], ["integer:1", "-"],
        ["-", #"object:{"\u0062":2}"#], ["-", #"object:{"value":5}"#],
      ])
    #expect(result.duplicateKey == "b")
  }

  @Test func `many surplus keys keep order and uniqueness`() {
    let keys = (0..<500).map { "\"k\($0)\":\($0)" }
    let text = "{" + (keys + ["\"k3\":\"again\""]).joined(separator: ",") + "}"
    let expected = keys.map { $0 == "\"k3\":3" ? "\"k3\":\"again\"" : $0 }
    #expect(
      rows(text, ["a"], isOpen: true) == [["-", "object:{\(expected.joined(separator: ","))}"]])
  }

  @Test func `a record that is no object has the one column value`() {
    #expect(
      rows(#"1 "x" [2,3] null"#, ["value", "value.1", "1"]) == [
        ["integer:1", "-", "-"], ["text:x", "-", "-"],
        ["array:[2,3]", "integer:3", "integer:3"], ["null:null", "-", "-"],
      ])
  }

  @Test func `lone surrogates and all escapes are accepted and kept`() {
    let inside = #"\ud800 \udc00x \" \\ \/ \b\f\n\r\t \u00Ff"#
    #expect(rows("{\"s\":\"\(inside)\"}", ["s"]) == [["escapedText:\(inside)"]])
  }

  @Test(arguments: [1, 7, 4095, 4096, 4097, 10000])
  func `all rows come, in batches of bounded size`(_ count: Int) {
    let text = (0..<count).map { "{\"i\":\($0)}" }.joined(separator: "\n")
    let result = RecordFixtures.read(text, ["i"])
    #expect(result.recordCount == count)
    #expect(result.batches.allSatisfy { $0.rowCount <= Batch.defaultRowCount })
    #expect(
      RecordFixtures.rows(result.batches).map { $0[0] } == (0..<count).map { "integer:\($0)" })
  }

  @Test(arguments: [
    (#"{"a":x}"#, 5), (#"{"a" 1}"#, 5), (#"{"a":1 "b":2}"#, 7), (#"{"a":01}"#, 5),
    (#"{"a":"\x"}"#, 6), ("{\"a\":\"\u{1}\"}", 6), (#"{a:1}"#, 1), (#"{"a":[1,]}"#, 8),
    (#"{"a":1,}"#, 7), (#"{"a":tru}"#, 5), (#"{"a":1]"#, 6), ("{\"a\":1}\u{0C}", 7), (#"]"#, 0),
    (#"{"a":"\u12g4"}"#, 6), (#"{"a":1.}"#, 5), (#"{"a":"b"#, 5), (#"{"a":1"#, 6), ("\\\"", 0),
  ])
  func `rows before a malformed record come, and its place is named`(_ bad: String, _ offset: Int) {
    let good = "{\"a\":1}\n{\"a\":2}\n"
    let result = RecordFixtures.read(good + bad, ["a"], isOpen: true)
    let more = bad.hasPrefix("{\"a\":1}") ? 1 : 0
    #expect(result.recordCount == 2 + more)
    #expect(result.failure?.record == 2 + more)
    #expect(result.failure?.offset == good.utf8.count + offset)
    #expect(result.consumed == good.utf8.count - 1 + more * 8)
    // With more records behind it, it is the same place.
    if !bad.hasSuffix("\"b") && !bad.hasSuffix("1") && !bad.hasPrefix("\\") {
      let followed = RecordFixtures.read(good + bad + "\n{\"a\":3}\n", ["a"], isOpen: true)
      #expect(followed.failure?.offset == good.utf8.count + offset)
      #expect(followed.failure?.resume == good.utf8.count + bad.utf8.count + 1)
    }
  }

  @Test func `invalid UTF-8 loses no row before it`() {
    var bytes = Array("{\"a\":1}\n{\"a\":\"é\"}\n{\"a\":\"".utf8)
    let offset = bytes.count
    bytes += [0xC3, 0x28] + Array("\"}\n{\"a\":4}\n".utf8)
    let buffer = ByteBuffer(bytes)
    let result = JSONRecordReader(schema: RecordFixtures.schema(["a"])).read(
      buffer, in: 0..<buffer.count, separator: .whitespace, isLast: true)
    #expect(result.recordCount == 2)
    #expect(result.failure?.offset == offset)
    #expect(result.failure?.reason.contains("UTF-8") == true)
  }

  @Test(arguments: ["[", "{\"a\":"])
  func `deep nesting is an error, never a crash`(_ open: String) {
    let close = open == "[" ? "]" : "}"
    func nested(_ depth: Int) -> String {
      String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
    }
    let path = Array(repeating: open == "[" ? "0" : "a", count: 2000).joined(separator: ".")
    for paths in [["x"], ["a.a.a"], ["value.0.0"], [path]] {
      #expect(RecordFixtures.read(nested(1024), paths).failure == nil)
      let failure = RecordFixtures.read(nested(1025), paths).failure
      #expect(failure?.isLimit == true)
      #expect(failure?.offset == 1024 * open.utf8.count)
      #expect(RecordFixtures.read(nested(100_000), paths).failure?.isLimit == true)
      #expect(
        RecordFixtures.read(String(repeating: open, count: 100_000), paths).failure != nil)
    }
  }

  @Test func `a range that ends inside a record says so and how far it came`() {
    let text = #"{"a":"é\n"} {"a":[true,1.5e3]} "x" "#
    let bytes = Array(text.utf8)
    let whole = RecordFixtures.rows(RecordFixtures.read(text, ["a", "value"]).batches)
    let reader = JSONRecordReader(schema: RecordFixtures.schema(["a", "value"]))
    let buffer = ByteBuffer(bytes)
    for cut in 0...bytes.count {
      let first = reader.read(buffer, in: 0..<cut, separator: .whitespace, isLast: false)
      #expect(first.failure == nil)
      let rest = reader.read(
        buffer, in: first.consumed..<bytes.count, separator: .whitespace, isLast: true)
      #expect(RecordFixtures.rows(first.batches) + RecordFixtures.rows(rest.batches) == whole)
      let remainder = bytes[first.consumed..<cut].filter { $0 != 32 }
      #expect(first.endsInside == !remainder.isEmpty)
    }
  }

  @Test func `what stands behind the range is never read`() {
    let buffer = ByteBuffer("[12345] true{\"a\":1}")
    let reader = JSONRecordReader(schema: RecordFixtures.schema(["value"]))
    func read(_ range: Range<Int>) -> JSONReadResult {
      reader.read(buffer, in: range, separator: .single, isLast: true)
    }
    #expect(RecordFixtures.rows(read(1..<3).batches) == [["integer:12"]])
    #expect(read(0..<6).failure != nil)
    #expect(read(8..<11).failure != nil)
    #expect(RecordFixtures.rows(read(8..<12).batches) == [["true:true"]])
  }

  @Test func `elements of an array are separated by exactly one comma`() {
    func read(_ text: String) -> JSONReadResult {
      RecordFixtures.read(text, ["value"], separator: .comma)
    }
    #expect(RecordFixtures.rows(read("1 , [2,3],\n4").batches).count == 3)
    #expect(read("").failure == nil)
    for bad in ["1,", ",1", "1,,2", "1 2", ","] { #expect(read(bad).failure != nil, "\(bad)") }
  }

  @Test func `single takes one document and no more`() {
    #expect(RecordFixtures.read("{} ", ["a"], separator: .single).failure == nil)
    let failure = RecordFixtures.read("{} {}", ["a"], separator: .single).failure
    #expect(failure?.offset == 3)
    #expect(failure?.record == 1)
  }

  @Test func `concatenated documents need nothing between them`() {
    #expect(rows(#"{"a":1}{"a":2}[3]"x"{"a":4}"#, ["a"]).count == 5)
  }

  @Test func `records are read from spans anywhere in a buffer`() throws {
    let text = #"{"rows":[{"a":1,"z":0},{"a":"x"}],"n":[2]}"#
    let buffer = ByteBuffer(text)
    let reader = JSONRecordReader(schema: RecordFixtures.schema(["a", "value"], isOpen: true))
    let batch = try reader.read(records: [9..<22, 23..<32, 38..<41, 39..<40], of: buffer)
    #expect(
      RecordFixtures.rows([batch]) == [
        ["integer:1", "-", #"object:{"z":0}"#], ["text:x", "-", "-"], ["-", "array:[2]", "-"],
        ["-", "integer:2", "-"],
      ])
    #expect(throws: AggregateError.self) { try reader.read(records: [9..<21], of: buffer) }
    #expect(throws: AggregateError.self) { try reader.read(records: [9..<32], of: buffer) }
    #expect(throws: AggregateError.self) { try reader.read(records: [5..<5], of: buffer) }
  }

  @Test func `records of very wide schemas are read and checked to their ends`() throws {
    let width = 70_000
    let buffer = ByteBuffer("{\"c5\":1} {\"c7\":2}x")
    let reader = JSONRecordReader(schema: Schema((0..<width).map { ColumnSpec("c\($0)") }))
    let result = reader.read(buffer, in: 0..<17, separator: .whitespace, isLast: true)
    #expect(result.batches.map { $0.columns[5].kind(at: 0) } == [.integer, .absent])
    let batch = try reader.read(records: [0..<8, 9..<17], of: buffer)
    #expect((0..<2).map { batch.columns[7].kind(at: $0) } == [.absent, .integer])
    #expect(throws: AggregateError.self) { try reader.read(records: [9..<18], of: buffer) }
  }

  @Test func `one reader serves many threads`() async {
    let reader = JSONRecordReader(schema: RecordFixtures.schema(["a", "b.c"], isOpen: true))
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<64 {
        group.addTask {
          let text = (0..<300).map { "{\"a\":\($0),\"b\":{\"c\":\(task)},\"k\(task)\":0}\n" }
            .joined()
          let buffer = ByteBuffer(text)
          let result = reader.read(
            buffer, in: 0..<buffer.count, separator: .whitespace, isLast: true)
          return RecordFixtures.rows(result.batches)
            == (0..<300).map {
              ["integer:\($0)", "integer:\(task)", "object:{\"k\(task)\":0}"]
            }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func `a schema is inferred from the first records`() {
    let text = #"{"b":1,"a":{}} 3 {"a":1,"\u0063":2,"_extra":1} {"d":1} x"#
    let buffer = ByteBuffer(text)
    let (schema, count) = JSONRecordReader.inferSchema(
      buffer, in: 0..<buffer.count, separator: .whitespace, maxRecords: 3)
    #expect(schema.names == ["b", "a", "value", "c", "_extra"])
    #expect(schema.isOpen)
    #expect(count == 3)
    let all = JSONRecordReader.inferSchema(
      buffer, in: 0..<buffer.count, separator: .whitespace, maxRecords: 100)
    #expect(all.schema.names == ["b", "a", "value", "c", "d", "_extra"])
    #expect(all.recordCount == 4)
  }

  @Test func `keys that only differ in their normal form do not collide`() {
    let buffer = ByteBuffer("{\"e\u{301}\":1,\"\u{E9}\":2}")
    let schema = JSONRecordReader.inferSchema(
      buffer, in: 0..<buffer.count, separator: .whitespace, maxRecords: 1
    ).schema
    let result = JSONRecordReader(schema: schema).read(
      buffer, in: 0..<buffer.count, separator: .whitespace, isLast: true)
    #expect(RecordFixtures.rows(result.batches) == [["integer:1", "object:{\"\u{E9}\":2}"]])
  }

  @Test func recordsOfARangeTellTheirFirstDuplicateKey() throws {
    let text = #"[{"a":1},{"b":{"k":1,"k":2}},{"a":1,"\u0061":2}]"#
    let buffer = ByteBuffer(text)
    let reader = JSONRecordReader(schema: Schema([ColumnSpec("a"), ColumnSpec("b")]))
    var key: String?
    let one = try reader.read(records: [1..<8], of: buffer, duplicateKey: &key)
    #expect(one.rowCount == 1 && key == nil)
    _ = try reader.read(records: [1..<8, 9..<28, 29..<47], of: buffer, duplicateKey: &key)
    #expect(key != nil)
    let first = key
    _ = try reader.read(records: [29..<47], of: buffer, duplicateKey: &key)
    #expect(key == first)
    var other: String?
    _ = try reader.read(records: [29..<47], of: buffer, duplicateKey: &other)
    #expect(other == "a")
  }
}
