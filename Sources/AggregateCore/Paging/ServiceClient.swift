internal import Synchronization

/// Asks one of several services: with patience when it is the last, with less when another can stand in.
struct ServiceClient: HTTPClient {
  /// A service that is not asked again, and why.
  struct LeftOut: Error {
    let error: AggregateError
  }

  let inner: any HTTPClient
  let service: String
  /// Whether another service is asked when this one fails.
  let hasOther: Bool
  let outages: Outages
  /// The longest time for an answer, all tries together, where another service can stand in.
  let patience: Duration

  /// The answer to a request.
  ///
  /// - Throws: ``AggregateError`` whose message has the address without its query; ``LeftOut`` when the
  ///   service is not asked at all.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    if let error = outages.failure(of: service, at: request.url) { throw LeftOut(error: error) }
    var asked = request
    asked.judge = judge(request.judge)
    do {
      return try await hasOther ? hurried(asked) : inner.send(asked)
    } catch var error as AggregateError {
      // The query is longer than all that matters, and comes before it.
      var short = request.url
      short.query = nil
      error.message = error.message.replacing("\(request.url)", with: "\(short)")
      throw error
    }
  }

  /// What is tried again: a used-up day never, a busy service once while another can stand in.
  private func judge(
    _ own: (@Sendable (HTTPResponse) -> ResponseVerdict?)?
  ) -> @Sendable (HTTPResponse) -> ResponseVerdict? {
    let failures = Failures()
    let hasOther = hasOther
    return { response in
      if let verdict = own?(response) { return verdict }
      guard response.status == 429 || response.status == 408 || response.status >= 500 else {
        return nil
      }
      let said = response.body.text(0..<min(response.body.count, 2000))
      if response.status == 429, hasOther || Outages.isLastingLimit(said) {
        return .fail(message: nil)
      }
      return hasOther && failures.count() > 1 ? .fail(message: nil) : nil
    }
  }

  /// Counts tries.
  private final class Failures: Sendable {
    private let state = Mutex(0)

    func count() -> Int {
      state.withLock { count in
        count += 1
        return count
      }
    }
  }

  /// The answer, if it comes in time; the time begins when the request goes out, not while it waits for that.
  private func hurried(_ request: HTTPRequest) async throws -> HTTPResponse {
    let (starts, started) = AsyncStream<Void>.makeStream()
    var request = request
    let onStart = request.onStart
    request.onStart = {
      started.yield()
      onStart?()
    }
    let sent = request
    return try await withThrowingTaskGroup(of: HTTPResponse?.self) { group in
      group.addTask { try await inner.send(sent) }
      group.addTask {
        for await _ in starts { break }
        try await Task.sleep(for: patience)
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let answer = first else {
        throw AggregateError(
          .unavailable, "GET \(sent.url): no answer within \(patience.components.seconds) s")
      }
      return answer
    }
  }
}
