import AggregateCore
import Testing

/// Thousands of servers: each row comes once and in order, or what is missing is said.
@Suite struct PagingSimulationTests {
  /// A generator that gives the same numbers again.
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private func server(_ random: inout Seeded) -> PagedServer {
    let kind = PagedServer.Kind.allCases.randomElement(using: &random) ?? .page
    let isNumbered = [.page, .pageTotal].contains(kind)
    var next = 0
    let isDistinct = Bool.random(using: &random)
    let size = Int.random(in: 1...9, using: &random)
    let pages = (0..<Int.random(in: 0...7, using: &random)).map { _ -> [Int] in
      // Behind an empty page of numbers there is nothing, unless a total says so.
      let mayBeEmpty = !isNumbered && kind != .scroll
      let count = Int.random(in: mayBeEmpty ? 0...size : 1...size, using: &random)
      return (0..<count).map { _ in
        next += 1
        return isDistinct ? next : Int.random(in: 0...1, using: &random)
      }
    }
    let vice = PagedServer.Vice.allCases.randomElement(using: &random) ?? .none
    return PagedServer(kind: kind, vice: vice, pages: pages, size: size)
  }

  @Test(arguments: 0..<50) func everyRowComesOnceOrIsMissed(_ block: Int) async {
    var random = Seeded(state: UInt64(block) &* 7919 &+ 17)
    for _ in 0..<200 {
      let server = server(&random)
      let read = await PagedProvider.read(
        server, jobs: [1, 8].randomElement(using: &random) ?? 1)
      let isTold = read.error != nil || !read.warnings.isEmpty
      switch (server.kind, server.vice) {
      case (.page, .ignoresPages), (.pageTotal, .ignoresPages), (.offset, .ignoresPages),
        (.offsetTotal, .ignoresPages):
        // No row is given that page 1 has not; more of them only where a total asks for more, and that is told.
        #expect(Set(read.rows).isSubset(of: Set(server.records)), "\(server)")
      case (.page, .repeatsLast):
        #expect(read.rows == server.records || isTold, "\(server): \(read)")
      case (.pageTotal, .overstates), (.offsetTotal, .overstates):
        #expect(read.rows == server.records, "\(server): \(read)")
        #expect(isTold, "\(server)")
      case (.page, _), (.offset, _), (.scroll, _):
        // Equal pages may be told as an end; never are rows lost in silence.
        #expect(read.rows == server.records || isTold, "\(server): \(read)")
        #expect(
          read.rows == Array(server.records.prefix(read.rows.count)), "\(server): \(read)")
      case (.pageTotal, _), (.offsetTotal, _), (.cursor, _), (.nextURL, _):
        #expect(read.error == nil, "\(server): \(read)")
        #expect(read.rows == server.records, "\(server): \(read)")
      }
    }
  }
}
