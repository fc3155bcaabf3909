import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

@Suite struct StartOrderTests {
  @Test func turnsBeginInTheirOrder() async {
    for _ in 0..<50 {
      let order = StartOrder()
      let seen = Numbers()
      let turns = (0..<20).map { ($0, order.next()) }
      await withTaskGroup(of: Void.self) { group in
        for (index, turn) in turns.shuffled() {
          group.addTask {
            await turn.wait()
            seen.all.withLock { $0.append(index) }
            turn.begin()
            turn.begin()
          }
        }
      }
      #expect(seen.all.withLock { $0 } == Array(0..<20))
    }
  }

  @Test func turnThatNeverWaitedLetsTheNextOneGo() async {
    let order = StartOrder()
    let first = order.next()
    let second = order.next()
    let third = order.next()
    second.begin()
    first.begin()
    await third.wait()
  }

  @Test func cancelledTaskDoesNotWait() async {
    let order = StartOrder()
    _ = order.next()
    let second = order.next()
    let task = Task { await second.wait() }
    task.cancel()
    await task.value
  }

  @Test func requestsOfPartsStartInTheirOrder() async throws {
    let client = Client()
    let context = ProviderContext(
      source: "s", http: client, log: .silent, jobs: 4, emit: { _ in })
    let url = try #require(WebURL("https://a.example/"))
    try await OrderedParts.run(
      context,
      produce: { yield in for index in 0..<40 { try await yield(index) } },
      read: { index, context in
        // A part without a request must not hold up the others.
        if index % 7 == 3 { return }
        _ = try await context.http.send(HTTPRequest("GET\(index)", url))
      })
    #expect(
      client.seen.withLock { $0 } == (0..<40).filter { $0 % 7 != 3 }.map { "GET\($0)" })
  }

  private final class Numbers: Sendable {
    let all = Mutex<[Int]>([])
  }

  /// Notes in which order requests are under way.
  private final class Client: HTTPClient {
    let seen = Mutex<[String]>([])

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      for _ in 0..<Int.random(in: 0..<3) { await Task.yield() }
      seen.withLock { $0.append(request.method) }
      request.onStart?()
      try await Task.sleep(for: .microseconds(Int.random(in: 0..<300)))
      return HTTPResponse(
        status: 200, headers: [], body: .empty, url: request.url,
        fetchedAt: Instant(microseconds: 0))
    }
  }
}
