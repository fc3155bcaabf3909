import AggregateCore
import AggregateTestSupport
import Foundation
import Synchronization

@testable import AggregateTransport

/// A cache before a scripted server, with a clock that the test sets.
///
/// The body of each full answer is its number, so that it tells whether the server was asked again.
/// Each question is a run of its own, with a new client; only the store stays open, which saves time.
final class CacheLab: Sendable {
  private struct State {
    var now = Instant(httpDate: "Mon, 01 Jan 2024 00:00:00 GMT") ?? .now
    var handler: @Sendable (HTTPRequest) -> Answer = { _ in Answer() }
    var requests: [HTTPRequest] = []
    var answers = 0
  }

  /// What the server says: a status below 100 stands for no connection.
  struct Answer: Sendable {
    var status = 200
    /// Fields as lines; `@+60` and `@-60` are the date so many seconds from now.
    var fields: [String] = []
    /// Instead of the number of the answer.
    var body: String?
    /// How long it takes, in seconds.
    var delay = 0.0
    /// The address that answers, after redirects.
    var url: WebURL?
  }

  private let folder = TemporaryFolder()
  private let state = Mutex(State())
  let log = RunLog(level: .quiet, isStrict: false) { _ in }
  let metrics = SourceMetrics()

  var path: String { folder.file("cache.db") }
  private let store: CacheStore

  init() { store = CacheStore(path: folder.file("cache.db")) }

  /// What was asked of the server.
  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// Answers everything with these fields.
  func serve(_ fields: String...) { serve(Answer(fields: fields)) }

  /// Answers everything with this.
  func serve(_ answer: Answer) { serve { _ in answer } }

  /// Answers as the closure says.
  func serve(_ handler: @escaping @Sendable (HTTPRequest) -> Answer) {
    state.withLock { $0.handler = handler }
  }

  /// Answers as `full` does, and what is asked about `tag` with 304 and these fields.
  func serve(_ full: [String], confirming tag: String, with fields: [String]) {
    serve { request in
      let asked = request.headers.first { $0.name == "If-None-Match" }?.value
      return asked == tag ? Answer(status: 304, fields: fields, body: "") : Answer(fields: full)
    }
  }

  /// Lets time pass; the other way with a negative number.
  func wait(_ seconds: Double) {
    state.withLock { $0.now = Instant(microseconds: $0.now.microseconds + Int64(seconds * 1e6)) }
  }

  /// Asks in a run of its own.
  func send(
    _ path: String = "/a", method: String = "GET", _ headers: String...,
    identity: String = "", credentials: [Credential] = [],
    policy change: (inout CachePolicy) -> Void = { _ in }
  ) async throws -> HTTPResponse {
    var policy = CachePolicy()
    change(&policy)
    let client = CacheClient(
      source: "src", inner: Server(lab: self), store: store,
      policy: policy, identity: identity, metrics: metrics, log: log, redactor: Redactor(),
      clock: { self.state.withLock { $0.now } })
    let request = HTTPRequest(
      method, try parsed(path.hasPrefix("http") ? path : "http://server.example\(path)"),
      headers: headers.map(Self.field), credentials: credentials)
    return try await client.send(request)
  }

  /// The body of the answer.
  func get(
    _ path: String = "/a", _ headers: String..., policy: (inout CachePolicy) -> Void = { _ in }
  ) async throws -> String {
    // Swift can't pass on variadic arguments.
    switch headers.count {
    case 0: try await send(path, policy: policy).body.text
    case 1: try await send(path, headers[0], policy: policy).body.text
    default: try await send(path, headers[0], headers[1], policy: policy).body.text
    }
  }

  /// How many answers are kept.
  var kept: Int { get throws { try store.statistics().entries } }

  private static func field(_ line: String) -> HTTPField {
    let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
    return HTTPField(parts[0], parts.count > 1 ? parts[1].trimmed : "")
  }

  private struct Server: HTTPClient {
    let lab: CacheLab

    /// As the transport does it: what is no data is an error, unless the request judges otherwise.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let answer = lab.state.withLock { state in
        state.requests.append(request)
        return state.handler(request)
      }
      guard answer.status >= 100 else { throw AggregateError(.unavailable, "connection refused") }
      let response = lab.state.withLock { state in
        let askedAt = state.now
        state.now = Instant(microseconds: askedAt.microseconds + Int64(answer.delay * 1e6))
        if answer.body == nil { state.answers += 1 }
        return HTTPResponse(
          status: answer.status,
          headers: answer.fields.map { CacheLab.field(CacheLab.dated($0, state.now)) },
          body: ByteBuffer(answer.body ?? "\(state.answers)"), url: answer.url ?? request.url,
          fetchedAt: askedAt)
      }
      if response.status >= 400, request.judge?(response) != .accept {
        let isPassing = response.status >= 500 || response.status == 429
        throw AggregateError(
          isPassing ? .unavailable : .rejected, "answered \(response.status)",
          status: response.status)
      }
      return response
    }
  }

  /// `text` with `@±SECONDS` replaced by a date.
  private static func dated(_ text: String, _ now: Instant) -> String {
    guard let at = text.firstIndex(of: "@"), let offset = Double(text[text.index(after: at)...])
    else { return text }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let date = Date(timeIntervalSince1970: (Double(now.microseconds) / 1e6).rounded(.down) + offset)
    return text[..<at] + formatter.string(from: date)
  }
}
