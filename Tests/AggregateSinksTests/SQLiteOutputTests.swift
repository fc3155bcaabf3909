import AggregateCore
import AggregateSinks
import AggregateSQLite
import AggregateTestSupport
import Foundation
import Testing

@Suite struct SQLiteOutputTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("out.db") }

  private func batch(_ columns: [ColumnSpec], _ rows: [[Value]]) -> Batch {
    var builder = BatchBuilder(schema: Schema(columns))
    for row in rows {
      for value in row { builder.append(value) }
      builder.endRow()
    }
    return builder.finish()
  }

  private func write(
    _ target: String, _ batches: [Batch], commits: Bool = true, log: RunLog = .silent
  ) throws {
    let parsed = try #require(try SQLiteTarget("sqlite:\(path)?\(target)", table: "t"))
    let output = try SQLiteOutput(parsed, policy: .error, log: log)
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

  private func rows(_ sql: String) throws -> [[SQLiteConnection.Value]] {
    try SQLiteConnection(path: path, isReadOnly: true).rows(sql)
  }

  private let two = [ColumnSpec("id", .any), ColumnSpec("name", .any)]

  @Test func keepsEveryValueAsItCame() throws {
    let columns = ["a", "b", "c", "d", "e", "f", "g"].map { ColumnSpec($0) }
    let wide = "123456789012345678901234567890"
    try write(
      "table=t",
      [
        batch(
          columns,
          [
            [
              .int(9_007_199_254_740_993), .text("007"), .number("1.10"), .null, .text(""),
              .bool(true), .number(wide),
            ],
            [
              .int(-1), .text("1e3"), .number("0.1234567890123456789"), .absent, .text("x"),
              .bool(false), .int(1),
            ],
          ])
      ])
    #expect(
      try rows("SELECT * FROM t") == [
        [
          .integer(9_007_199_254_740_993), .text("007"), .real(1.1), .null, .text(""), .integer(1),
          .text(wide),
        ],
        [
          .integer(-1), .text("1e3"), .text("0.1234567890123456789"), .null, .text("x"),
          .integer(0), .integer(1),
        ],
      ])
  }

  @Test func choosesTypesThatKeepAllValues() throws {
    let columns = ["i", "t", "r", "m", "big"].map { ColumnSpec($0) }
    let first: [Value] = [.int(1), .text("a"), .number("1.5"), .int(1), .int(1 << 60)]
    let second: [Value] = [.int(2), .text("b"), .int(2), .text("07"), .number("0.5")]
    try write("table=t", [batch(columns, [first]), batch(columns, [second])])
    #expect(
      try rows("SELECT type FROM pragma_table_info('t')").map { $0[0].text }
        == ["INTEGER", "TEXT", "REAL", "", "NUMERIC"])
    #expect(try rows("SELECT m, big FROM t")[1] == [.text("07"), .real(0.5)])
    #expect(try rows("SELECT big FROM t")[0] == [.integer(1 << 60)])
  }

  @Test func nestedValuesBecomeColumnsAndListsJSON() throws {
    let columns = [ColumnSpec("city"), ColumnSpec("tags")]
    try write(
      "table=t",
      [batch(columns, [[.json("{\"name\":\"Oslo\",\"at\":{\"lat\":59.5}}"), .json("[1,2]")]])])
    #expect(
      try rows("SELECT \"city.name\", \"city.at.lat\", tags FROM t")
        == [[.text("Oslo"), .real(59.5), .text("[1,2]")]])
  }

  @Test func quotesOddNames() throws {
    let columns = [ColumnSpec("a \"b"), ColumnSpec("select"), ColumnSpec("")]
    try write("table=odd%20%22t", [batch(columns, [[.int(1), .int(2), .int(3)]])])
    #expect(
      try rows("SELECT \"a \"\"b\", \"select\", \"\" FROM \"odd \"\"t\"")
        == [[.integer(1), .integer(2), .integer(3)]])
  }

  @Test func replacesAppendsAndUpdates() throws {
    let old = batch(two, [[.int(1), .text("a")], [.int(2), .text("b")]])
    let new = batch(two, [[.int(2), .text("B")], [.int(3), .text("c")], [.int(3), .text("C")]])
    try write("", [old])
    try write("", [old])
    #expect(try rows("SELECT count(*) FROM t") == [[.integer(2)]])
    try write("key=ID", [new])
    #expect(
      try rows("SELECT * FROM t ORDER BY id") == [
        [.integer(1), .text("a")], [.integer(2), .text("B")], [.integer(3), .text("C")],
      ])
    // The key stays one: what would break it is refused, and changes nothing.
    #expect(throws: AggregateError.self) { try write("mode=append", [old]) }
    #expect(try rows("SELECT count(*) FROM t") == [[.integer(3)]])
    try write("table=log&mode=append", [old])
    try write("table=log&mode=append", [new])
    #expect(try rows("SELECT count(*) FROM log") == [[.integer(5)]])
  }

  @Test func addsColumnsThatTheTableLacks() throws {
    try write("mode=append", [batch(two, [[.int(1), .text("a")]])])
    let more = batch(two + [ColumnSpec("x")], [[.int(2), .text("b"), .number("0.5")]])
    try write("mode=append", [more])
    #expect(try rows("SELECT x FROM t ORDER BY id") == [[.null], [.real(0.5)]])
  }

  @Test func saysWhenATableConvertsValues() throws {
    try write("", [batch(two, [[.int(1), .text("a")]])])
    let log = RunLog(level: .quiet, isStrict: false) { _ in }
    try write("", [batch(two, [[.text("007"), .text("a")]])], log: log)
    #expect(log.warnings.count == 1)
    #expect(log.warnings.first?.contains("“id”") == true)
  }

  @Test func aFailedRunLeavesTheTable() throws {
    let row = batch(two, [[.int(1), .text("a")]])
    try write("", [row])
    try write("", [row, row], commits: false)
    #expect(try rows("SELECT count(*) FROM t") == [[.integer(1)]])
    let noKey = batch(two, [[.null, .text("a")]])
    #expect(throws: AggregateError.self) { try write("key=id", [noKey]) }
    #expect(throws: AggregateError.self) { try write("key=nmae", [row]) }
    #expect(try rows("SELECT count(*) FROM t") == [[.integer(1)]])
  }

  @Test func aFailedRunLeavesNoNewFile() throws {
    try write("", [batch(two, [[.int(1), .text("a")]])], commits: false)
    #expect(!FileManager.default.fileExists(atPath: path))
    let clash = batch([ColumnSpec("id"), ColumnSpec("ID")], [[.int(1), .int(2)]])
    #expect(throws: AggregateError.self) { try write("", [clash]) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func refusesAFileThatIsNoDatabase() throws {
    let text = String(repeating: "not a database ", count: 100)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: AggregateError.self) { try write("", []) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test func anEmptyResultHasItsColumns() throws {
    try write("", [.empty(Schema([ColumnSpec("id", .int), ColumnSpec("at", .instant)]))])
    #expect(
      try rows("SELECT name, type FROM pragma_table_info('t')") == [
        [.text("id"), .text("INTEGER")], [.text("at"), .text("TEXT")],
      ])
  }
}
