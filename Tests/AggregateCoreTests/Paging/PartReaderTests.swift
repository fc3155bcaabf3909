import AggregateCore
import Testing

/// The one loop over pages, with a server in memory.
@Suite struct PartReaderTests {
  private func server(
    _ kind: PagedServer.Kind, _ pages: [[Int]], _ vice: PagedServer.Vice = .none, size: Int = 2
  ) -> PagedServer {
    PagedServer(kind: kind, vice: vice, pages: pages, size: size)
  }

  @Test func equalPagesAreToldByTheNextOne() async {
    let honest = await PagedProvider.read(server(.page, [[0, 0], [0, 0], [3, 4]]))
    #expect(honest.rows == [0, 0, 0, 0, 3, 4] && honest.error == nil)
    let short = await PagedProvider.read(server(.page, [[0, 0], [0, 0]]))
    #expect(short.rows == [0, 0, 0, 0] && short.error == nil)
    let ignored = await PagedProvider.read(server(.page, [[1, 2], [3, 4]], .ignoresPages))
    #expect(ignored.rows == [1, 2] && ignored.error?.code == .pagination)
    #expect(ignored.requests == 3)
  }

  @Test func lastPageOnceMoreIsTheEnd() async {
    let read = await PagedProvider.read(server(.page, [[1, 2], [3, 4]], .repeatsLast))
    #expect(read.rows == [1, 2, 3, 4] && read.error == nil)
    #expect(read.warnings.count == 1 && read.requests == 4)
  }

  @Test func shortPagesAreFollowedFromWhereTheyEnd() async {
    let read = await PagedProvider.read(server(.offset, [[1, 2, 3], [4, 5, 6, 7]], size: 5))
    #expect(read.rows == [1, 2, 3, 4, 5, 6, 7] && read.warnings.isEmpty)
  }

  @Test func scrollGoesOnWhileRowsAreNew() async {
    let read = await PagedProvider.read(server(.scroll, [[1, 2], [3, 4], [5]]))
    #expect(read.rows == [1, 2, 3, 4, 5] && read.requests == 4 && read.warnings.isEmpty)
    let repeated = await PagedProvider.read(server(.scroll, [[1, 2], [3, 4], [3, 4], [5]]))
    #expect(repeated.rows == [1, 2, 3, 4] && repeated.warnings.count == 1)
  }

  @Test(arguments: [1, 8]) func equalRowsBelowATotalAreRows(_ jobs: Int) async {
    let read = await PagedProvider.read(
      server(.pageTotal, [[0, 0], [0, 0], [0, 0], [0, 0]]), jobs: jobs)
    #expect(read.rows == Array(repeating: 0, count: 8) && read.error == nil)
  }

  @Test func totalThatIsNotReachedIsTold() async {
    let read = await PagedProvider.read(server(.offsetTotal, [[1, 2], [3]], .overstates))
    #expect(read.rows == [1, 2, 3])
    #expect(read.warnings.contains { $0.contains("10 records, and gave 3") })
  }

  @Test func mostPagesAreReadAndToldWhenThereIsMore() async {
    let pages = [[1], [2], [3]]
    #expect(await PagedProvider.read(server(.cursor, pages), maxPages: 2).rows == [1, 2])
    #expect(await PagedProvider.read(server(.cursor, pages), maxPages: 3).rows == [1, 2, 3])
  }

  @Test(arguments: [204, 205]) func answerWithoutContentHasNoRows(_ status: Int) async throws {
    #expect(try await Answering.read(status, "") == [])
  }

  @Test(arguments: [206, 304, 300, 306]) func answerThatNobodyAskedForIsAnError(
    _ status: Int
  ) async throws {
    let error = await #expect(throws: AggregateError.self) {
      try await Answering.read(status, "- - 1 2")
    }
    #expect(error?.message.contains("\(status)") == true && error?.code == .rejected)
  }
}
