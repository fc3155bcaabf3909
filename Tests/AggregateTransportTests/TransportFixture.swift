import AggregateCore
import AggregateTestSupport
import Synchronization

@testable import AggregateTransport

/// A transport over the network, with what it said.
struct TransportFixture: Sendable {
  let transport: HTTPTransport
  let said: Said
  let redactor = Redactor()

  /// Lines that a log was told.
  final class Said: Sendable {
    private let state = Mutex<[String]>([])
    var lines: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }
  }

  init(
    wire: any Wire = CurlEngine(userAgent: "aggregate/test"), jobs: Int = 8,
    concurrency: Int? = nil, limit: (any RequestLimit)? = nil,
    hosts: HostRecords = HostRecords(), waits: Bool = true,
    _ change: (inout RequestPolicy) -> Void = { _ in }
  ) {
    var policy = RequestPolicy()
    policy.maxWait = .seconds(2)
    change(&policy)
    let said = Said()
    self.said = said
    transport = HTTPTransport(
      source: "src", wire: wire, policy: policy, slots: RequestSlots(jobs),
      concurrency: concurrency, limit: limit, hosts: hosts,
      log: RunLog(level: .verbose, isStrict: false) { said.add("\($0)") }, redactor: redactor,
      waits: waits)
  }

  /// The body that the address answers with.
  func get(_ url: String) async throws -> HTTPResponse {
    try await transport.send(HTTPRequest("GET", try parsed(url)))
  }

  /// The error that the request ends with.
  func failure(_ request: HTTPRequest) async -> AggregateError? {
    do {
      _ = try await transport.send(request)
      return nil
    } catch { return error as? AggregateError }
  }

  /// The error that the address ends with.
  func failure(_ url: String) async throws -> AggregateError? {
    await failure(HTTPRequest("GET", try parsed(url)))
  }
}

/// `text` as an address.
func parsed(_ text: String) throws -> WebURL {
  guard let url = WebURL(text) else { throw AggregateError(.internal, "no address: \(text)") }
  return url
}
