import AggregateCore
import Testing

@testable import AggregateSQLite

@Suite struct SQLiteConnectionTests {
  @Test func valuesComeBackAsTheyWent() throws {
    let connection = try SQLiteConnection(path: ":memory:")
    let values: [SQLiteConnection.Value] = [
      .null, .integer(.min), .real(1.5), .text("a\0é"), .text(""), .blob([0, 255]), .blob([]),
    ]
    let row = try connection.rows("SELECT ?, ?, ?, ?, ?, ?, ?", values).first
    #expect(row == values)
  }

  @Test func failedTransactionLeavesNothing() throws {
    let connection = try SQLiteConnection(path: ":memory:")
    try connection.run(script: "CREATE TABLE t (a INTEGER)")
    #expect(throws: CancellationError.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        throw CancellationError()
      }
    }
    #expect(try connection.rows("SELECT * FROM t").isEmpty)
    #expect(try connection.execute("INSERT INTO t VALUES (1), (2)") == 2)
  }

  @Test func mistakeSaysWhere() throws {
    let connection = try SQLiteConnection(path: ":memory:")
    let error = #expect(throws: AggregateError.self) { try connection.rows("SELECT missing") }
    #expect(error?.message == ":memory:: no such column: missing")
  }

  @Test func statementsAreSteppedByHand() throws {
    let connection = try SQLiteConnection(path: ":memory:")
    let statement = try connection.prepare("SELECT 1 AS one, 'x' AS two UNION ALL SELECT 2, NULL")
    #expect(statement.columnNames == ["one", "two"])
    var seen: [String] = []
    while try statement.step() {
      statement.withBytes(1) { seen.append($0.map { String(decoding: $0, as: UTF8.self) } ?? "-") }
    }
    #expect(seen == ["x", "-"])
  }

  @Test func missingFileSaysSo() {
    let error = #expect(throws: AggregateError.self) {
      try SQLiteConnection(path: "/nonexistent/x.db", isReadOnly: true)
    }
    #expect(error?.message.contains("/nonexistent/x.db") == true)
  }
}
