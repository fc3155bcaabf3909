import AggregateCore
import AggregateSQLite
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateState

@Suite struct StateDatabaseTests {
  private let temporary = TemporaryFolder()
  private let scope = StateScope(config: "/a/sources.yaml", source: "s")

  /// Not there before something is written to it.
  private var folder: String { temporary.file("state") }

  private func database() -> StateDatabase { StateDatabase(path: "\(folder)/x/state.db") }

  @Test func nothingIsCreatedBeforeTheFirstUse() throws {
    let database = database()
    #expect(!FileManager.default.fileExists(atPath: folder))
    _ = try database.cursors()
    #expect(FileManager.default.fileExists(atPath: database.path))
  }

  @Test func filesBelongToTheUserAlone() throws {
    let database = database()
    try database.save(StoredToken(value: "t", expires: nil), as: "n")
    for (path, mode) in [
      (folder, 0o700), ("\(folder)/x", 0o700), (database.path, 0o600),
      (database.path + "-wal", 0o600),
    ] {
      let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(found as? Int == mode, "\(path)")
    }
  }

  @Test func cursorsAreKeptWithTheirKeys() throws {
    try database().save(
      cursor: "\"2024\"", boundary: [BoundaryKey(key: "[1]", value: "\"2024\"")], of: scope,
      partition: "p")
    let again = database()
    #expect(try again.cursor(of: scope, partition: "p")?.value == "\"2024\"")
    #expect(try again.cursor(of: scope) == nil)
    #expect(try again.boundaryKeys(of: scope, partition: "p").map(\.key) == ["[1]"])
    try again.save(cursor: "2", boundary: [], of: scope, partition: "p")
    #expect(try again.boundaryKeys(of: scope, partition: "p").isEmpty)
    #expect(try again.cursors(config: "/a/sources.yaml").count == 1)
    #expect(try again.cursors(config: "/b").isEmpty)
    #expect(try again.reset(scope) == 1)
    #expect(try again.cursors().isEmpty)
  }

  @Test func replacedTokenIsGoneFromTheFile() throws {
    let database = database()
    try database.save(StoredToken(value: "refresh-old", expires: nil), as: "n")
    try database.save(StoredToken(value: "refresh-new", expires: .now), as: "n")
    #expect(try database.token("n")?.value == "refresh-new")
    try database.save(nil, as: "n")
    #expect(try database.token("n") == nil)
  }

  @Test(arguments: [1, 3, 10])
  func noWindowHasMoreTurnsThanTheRate(_ count: Int) throws {
    let database = StateDatabase(path: ":memory:")
    let rate = Quantities.Rate(count: count, seconds: 60)
    var now = Int64(1_700_000_000_000_000)
    var turns: [Int64] = []
    for step in 0..<200 {
      now += Int64(step * 7919 % 30) * 1_000_000
      let reservation = try database.reserve(
        for: scope, rate: rate, quota: nil, now: Instant(microseconds: now))
      guard case .turn(_, let at) = reservation else {
        Issue.record("no turn")
        return
      }
      #expect(at.microseconds >= now)
      turns.append(at.microseconds)
    }
    #expect(turns == turns.sorted())
    for i in count..<turns.count { #expect(turns[i] - turns[i - count] >= 60_000_000) }
  }

  @Test func missedTurnsDoNotBunch() throws {
    let database = StateDatabase(path: ":memory:")
    let rate = Quantities.Rate(count: 2, seconds: 10)
    let start = Int64(1_700_000_000_000_000)
    var planned: [(id: Int64, at: Instant)] = []
    for _ in 0..<6 {
      let turn = try database.reserve(
        for: scope, rate: rate, quota: nil, now: Instant(microseconds: start))
      guard case .turn(let id, let at) = turn else { continue }
      planned.append((id, at))
    }
    // All wake up long after their time, and again when they are told to.
    var now = start + 100_000_000
    var sent: [Int64] = []
    while !planned.isEmpty {
      var later: [(id: Int64, at: Instant)] = []
      for turn in planned where turn.at.microseconds <= now {
        let at = try database.renew(
          turn: turn.id, for: scope, rate: rate, now: Instant(microseconds: now))
        if at.microseconds <= now { sent.append(now) } else { later.append((turn.id, at)) }
      }
      planned = planned.filter { $0.at.microseconds > now } + later
      now = planned.map(\.at.microseconds).min() ?? now
    }
    #expect(sent.count == 6)
    for i in 2..<sent.count { #expect(sent[i] - sent[i - 2] >= 10_000_000) }
  }

  @Test func turnGivenBackIsFree() throws {
    let database = StateDatabase(path: ":memory:")
    let rate = Quantities.Rate(count: 1, seconds: 60)
    let now = Instant(microseconds: 1_700_000_000_000_000)
    let first = try database.reserve(for: scope, rate: rate, quota: nil, now: now)
    try database.giveBack(try #require(first.turnID))
    let second = try database.reserve(for: scope, rate: rate, quota: nil, now: now)
    #expect(try #require(second.turnID) > 0)
    #expect(second == .turn(id: try #require(second.turnID), at: now))
  }

  @Test func usageCountsTheWindowThatIsAskedFor() throws {
    let day = Quantities.Rate(count: 100, seconds: 86_400)
    let hour = Quantities.Rate(count: 10, seconds: 3600)
    let start = Instant(microseconds: 1_700_000_000_000_000)
    let later = Instant(microseconds: start.microseconds + 7_200_000_000)
    for now in [start, start, later] {
      _ = try database().reserve(for: scope, rate: nil, quota: day, now: now)
    }
    #expect(try database().usage(of: scope, quota: day, now: later).used == 3)
    let usage = try database().usage(of: scope, quota: hour, now: later)
    #expect(usage.used == 1)
    #expect(usage.frees?.microseconds == later.microseconds + 3_600_000_000)
  }

  @Test func quotaIsUsedUpAndFreesAgain() throws {
    let quota = Quantities.Rate(count: 2, seconds: 86_400)
    let start = Instant(microseconds: 1_700_000_000_000_000)
    for _ in 0..<2 {
      _ = try database().reserve(for: scope, rate: nil, quota: quota, now: start)
    }
    let end = Instant(microseconds: start.microseconds + 86_400_000_000)
    #expect(
      try database().reserve(for: scope, rate: nil, quota: quota, now: start)
        == .usedUp(until: end))
    let usage = try database().quotas(now: start)
    #expect(usage.map(\.used) == [2])
    #expect(usage.first?.frees == end)
    let later = try database().reserve(for: scope, rate: nil, quota: quota, now: end)
    #expect(later.turnID != nil)
    let other = StateScope(config: "/b", source: "s")
    #expect(
      try database().reserve(for: other, rate: nil, quota: quota, now: start).turnID != nil)
  }

  @Test func manyAtOnceOpenAndReserve() async throws {
    let rate = Quantities.Rate(count: 1, seconds: 1)
    let folder = folder
    let scope = scope
    let turns = try await withThrowingTaskGroup(of: [Instant].self) { group in
      for _ in 0..<8 {
        group.addTask {
          let database = StateDatabase(path: "\(folder)/state.db")
          return try (0..<5).compactMap { _ in
            if case .turn(_, let at) = try database.reserve(for: scope, rate: rate, quota: nil) {
              return at
            }
            return nil
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let sorted = turns.map(\.microseconds).sorted()
    #expect(sorted.count == 40)
    for (a, b) in zip(sorted, sorted.dropFirst()) { #expect(b - a >= 1_000_000) }
  }

  @Test func newerFileIsRefused() throws {
    let path = "\(folder)/state.db"
    _ = try StateDatabase(path: path).cursors()
    try SQLiteConnection(path: path).run(script: "PRAGMA user_version = 99")
    #expect(throws: AggregateError.self) { try StateDatabase(path: path).cursors() }
  }
}

extension Reservation {
  fileprivate var turnID: Int64? {
    if case .turn(let id, _) = self { id } else { nil }
  }
}
