import AggregateCore
import AggregateJSON
import Testing

struct NestedValuesTests {
  private func column(_ records: String) throws -> SpanColumn {
    let result = RecordFixtures.read(records, ["v"])
    #expect(result.failure == nil)
    guard let batch = result.batches.first, case .spans(let spans) = batch.columns[0] else {
      throw AggregateError(.internal, "no batch")
    }
    return spans
  }

  private func describe(_ column: SpanColumn) -> [String] {
    column.cells.indices.map { RecordFixtures.describe(.spans(column), $0) }
  }

  static let records = #"""
    {"v":{"name":"x","c":{"lat":1.50}}} {"v":null} {"v":"name"} {} {"v":[{"name":2},7]}
    {"v":{"c":3,"name":{}}} {"v":{"value":1,"e":[1],"\u0061":[]}}
    """#

  @Test func `values are found inside cells and absent elsewhere`() throws {
    let column = try column(Self.records)
    #expect(
      describe(NestedValues.extract(column, path: ["name"])) == [
        "text:x", "-", "-", "-", "-", "object:{}", "-",
      ])
    #expect(
      describe(NestedValues.extract(column, path: ["0", "name"])) == [
        "-", "-", "-", "-", "integer:2", "-", "-",
      ])
    #expect(
      describe(NestedValues.extract(column, path: ["value"])) == [
        "-", "-", "-", "-", "-", "-", "integer:1",
      ])
  }

  @Test func `several paths give what each gives alone, in the same buffer`() throws {
    let column = try column(Self.records)
    let paths = [["name"], ["c"], ["c", "lat"], ["1"], ["a"]]
    let together = NestedValues.extract(column, paths: paths)
    for (path, extracted) in zip(paths, together) {
      #expect(extracted.buffer === column.buffer)
      #expect(extracted.cells == NestedValues.extract(column, path: path).cells)
    }
  }

  @Test func `leaf paths come in first-seen order`() throws {
    #expect(
      NestedValues.leafPaths(try column(Self.records)) == [
        ["name"], ["c", "lat"], ["c"], ["value"], ["e"], ["a"],
      ])
    #expect(
      NestedValues.leafPaths(try column(#"{"v":{}} {"v":{"a":{"b":{},"c":{"d":1}},"e":2}}"#))
        == [["a", "b"], ["a", "c", "d"], ["e"]])
  }

  @Test func `columns longer than a batch are extracted whole`() throws {
    let buffer = ByteBuffer(#"{"a":1}"#)
    let column = SpanColumn(
      buffer: buffer, cells: Array(repeating: Cell(.object, offset: 0, length: 7), count: 10_000))
    let extracted = NestedValues.extract(column, path: ["a"])
    #expect(
      extracted.cells == Array(repeating: Cell(.integer, offset: 5, length: 1), count: 10_000))
  }
}
