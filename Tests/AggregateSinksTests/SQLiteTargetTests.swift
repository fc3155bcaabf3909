import AggregateCore
import AggregateSinks
import Testing

@Suite struct SQLiteTargetTests {
  @Test func readsFileTableAndMode() throws {
    let plain = try #require(try SQLiteTarget("sqlite:out.db?table=people", table: "s"))
    #expect(plain.path == "out.db")
    #expect(plain.table == "people")
    #expect(plain.mode == .replace)
    let append = try SQLiteTarget("sqlite:a b?c.db?mode=append&table=x%20y", table: "s")
    #expect(append?.path == "a b?c.db")
    #expect(append?.table == "x y")
    #expect(append?.mode == .append)
    #expect(
      try SQLiteTarget("sqlite:d.db?key=id,day", table: "s")?.mode == .upsert(key: ["id", "day"]))
  }

  @Test func takesTheStreamAsTheTable() throws {
    let target = try SQLiteTarget("sqlite:///tmp/x.db", table: "weather")
    #expect(target?.path == "/tmp/x.db")
    #expect(target?.table == "weather")
  }

  @Test func leavesOtherPathsAlone() throws {
    #expect(try SQLiteTarget("out.csv", table: "s") == nil)
  }

  @Test(arguments: [
    "sqlite:", "sqlite:?table=t", "sqlite:a.db?table=", "sqlite:a.db?tabel=t",
    "sqlite:a.db?mode=merge", "sqlite:a.db?mode=upsert", "sqlite:a.db?mode=append&key=id",
    "sqlite:a.db?key=",
  ])
  func refusesWhatMakesNoSense(text: String) {
    #expect(throws: AggregateError.self) { try SQLiteTarget(text, table: "s") }
  }
}
