import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateSinks

@Suite struct PostgreSQLTargetTests {
  @Test func settingsOfTheTableAreTakenOut() throws {
    let text = "postgres://ann:p%40ss@db.host:5433/prod?sslmode=require&table=s.t&key=id,day"
    let target = try #require(try PostgreSQLTarget(text, table: "x"))
    #expect(target.address == "postgresql://ann:p%40ss@db.host:5433/prod?sslmode=require")
    #expect(target.table == ["s", "t"])
    #expect(target.mode == .upsert(key: ["id", "day"]))
    #expect(target.password == "p@ss")
    #expect(!target.shown.contains("ss@"))
    #expect(try PostgreSQLTarget("postgresql:///db", table: "x")?.table == ["x"])
    #expect(try PostgreSQLTarget("sqlite:a.db", table: "x") == nil)
  }

  @Test func mistakesDoNotShowThePassword() throws {
    for query in ["mode=merge", "table=", "mode=append&key=a"] {
      let text = "postgres://ann:pass-word@host/db?\(query)"
      let error = #expect(throws: AggregateError.self) { try PostgreSQLTarget(text, table: "x") }
      #expect(error?.description.contains("pass-word") == false)
    }
  }

  @Test func aServerThatIsNotThereIsAnError() throws {
    let target = try #require(
      try PostgreSQLTarget("postgres://ann:pass-word@127.0.0.1:1/db", table: "x"))
    let error = #expect(throws: AggregateError.self) {
      try PostgreSQLOutput(target, policy: .error)
    }
    #expect(error?.code == .output)
    #expect(error?.description.contains("pass-word") == false)
  }
}
