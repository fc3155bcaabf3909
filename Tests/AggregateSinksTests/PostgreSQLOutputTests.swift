import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateSinks

@Suite(
  .serialized, .available(PostgreSQLServer.isInstalled, "no PostgreSQL server is installed"))
struct PostgreSQLOutputTests {
  private let server: PostgreSQLServer

  init() throws { server = try #require(try PostgreSQLServer()) }

  private func batch(_ columns: [ColumnSpec], _ rows: [[Value]]) -> Batch {
    var builder = BatchBuilder(schema: Schema(columns))
    for row in rows {
      for value in row { builder.append(value) }
      builder.endRow()
    }
    return builder.finish()
  }

  private func write(_ settings: String, _ batches: [Batch], commits: Bool = true) throws {
    let target = try #require(try PostgreSQLTarget(server.address(settings), table: "t"))
    let output = try PostgreSQLOutput(target, policy: .error)
    do {
      if let schema = batches.first?.schema { output.begin(schema) }
      for batch in batches { _ = try output.take(batch) }
      try output.finish(isComplete: commits)
      if commits { try output.commit() } else { output.discard() }
    } catch {
      output.discard()
      throw error
    }
  }

  private func rows(_ query: String, _ columns: Int = 1) throws -> [[String?]] {
    let target = try #require(try PostgreSQLTarget(server.address(""), table: "t"))
    return try PostgreSQLConnection(target).rows(query, columns: columns)
  }

  @Test func valuesKeepWhatTheyAre() throws {
    let columns = [
      ColumnSpec("i"), ColumnSpec("x"), ColumnSpec("big"), ColumnSpec("t"), ColumnSpec("n"),
      ColumnSpec("b"), ColumnSpec("l"), ColumnSpec("at", .instant), ColumnSpec("day", .date),
      ColumnSpec("odd \"name"),
    ]
    let wide = "123456789012345678901234567890"
    let first: [Value] = [
      .int(1), .number("1.10"), .number(wide), .text("a\tb\\c\nd\r"), .null, .bool(true),
      .json("[1,\"a\"]"), .text("2024-01-05T10:00:00Z"), .text("2024-01-05"), .text(""),
    ]
    let second: [Value] = [
      .int(2), .int(3), .int(1), .text("\\N"), .absent, .bool(false), .json("[]"), .null, .null,
      .null,
    ]
    try write("", [batch(columns, [first]), batch(columns, [second])])
    #expect(
      try rows("SELECT * FROM t ORDER BY i", 10) == [
        [
          "1", "1.10", wide, "a\tb\\c\nd\r", nil, "t", "[1, \"a\"]", "2024-01-05 10:00:00+00",
          "2024-01-05", "",
        ], ["2", "3", "1", "\\N", nil, "f", "[]", nil, nil, nil],
      ])
    #expect(
      try rows(
        "SELECT format_type(atttypid, -1) FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0 ORDER BY attnum"
      ).map { $0[0] } == [
        "bigint", "numeric", "numeric", "text", "text", "boolean", "jsonb",
        "timestamp with time zone", "date", "text",
      ])
  }

  @Test func modesDoWhatTheySay() throws {
    let two = [ColumnSpec("id"), ColumnSpec("name")]
    let old = batch(two, [[.int(1), .text("a")], [.int(2), .text("b")]])
    let new = batch(two, [[.int(2), .text("B")], [.int(3), .text("c")], [.int(3), .text("C")]])
    try write("", [old])
    try write("", [old])
    #expect(try rows("SELECT count(*) FROM t") == [["2"]])
    try write("mode=append", [new])
    #expect(try rows("SELECT count(*) FROM t") == [["5"]])
    try write("table=u", [old])
    for _ in 0..<2 { try write("table=u&key=id", [new]) }
    #expect(
      try rows("SELECT id, name FROM u ORDER BY id", 2) == [["1", "a"], ["2", "B"], ["3", "C"]])
    #expect(
      try rows("SELECT count(*) FROM pg_index WHERE indrelid = 'u'::regclass") == [["1"]])
    let more = batch(two + [ColumnSpec("x")], [[.int(4), .text("d"), .number("0.5")]])
    try write("table=u&mode=append", [more])
    #expect(try rows("SELECT x FROM u WHERE id = 4") == [["0.5"]])
  }

  @Test func failuresLeaveTheTable() throws {
    let two = [ColumnSpec("id"), ColumnSpec("name")]
    let good = batch(two, [[.int(1), .text("a")]])
    try write("", [good])
    try write("", [good, good], commits: false)
    for (settings, bad) in [
      ("", batch(two, [[.text("x"), .text("a")]])), ("", batch(two, [[.int(1), .text("\0")]])),
      ("key=id", batch(two, [[.null, .text("a")]])), ("key=nmae", good), ("table=no.t", good),
      ("", batch([ColumnSpec(String(repeating: "n", count: 64))], [[.int(1)]])),
    ] {
      let error = #expect(throws: AggregateError.self) { try write(settings, [bad]) }
      #expect(error?.message.contains("LINE") == false)
    }
    #expect(try rows("SELECT id, name FROM t", 2) == [["1", "a"]])
  }

  @Test func anEmptyResultHasItsColumns() throws {
    try write("", [.empty(Schema([ColumnSpec("id", .int), ColumnSpec("tags", .list)]))])
    #expect(try rows("SELECT count(*) FROM t") == [["0"]])
    #expect(
      try rows(
        "SELECT format_type(atttypid, -1) FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0 ORDER BY attnum"
      )
        == [["bigint"], ["jsonb"]])
  }
}
