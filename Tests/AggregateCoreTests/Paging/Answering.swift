import AggregateCore
import AggregateTestSupport
import Synchronization

/// One answer, whatever is asked.
struct Answering: HTTPClient {
  let status: Int
  let body: String

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [], body: ByteBuffer(body), url: request.url,
      fetchedAt: Instant(microseconds: 0))
  }

  /// The rows of a source that is answered so.
  static func read(_ status: Int, _ body: String) async throws -> [String] {
    let emitted = Mutex<[Batch]>([])
    let context = ProviderContext(
      source: "src", http: Answering(status: status, body: body), log: .silent, jobs: 1,
      emit: { work in if case .batch(let batch) = work { emitted.withLock { $0.append(batch) } } })
    let server = PagedServer(kind: .cursor, vice: .none, pages: [[1]], size: 1)
    try await PagedProvider(server).rows(context)
    return TestRows.shown(emitted.withLock { $0 })
  }
}
