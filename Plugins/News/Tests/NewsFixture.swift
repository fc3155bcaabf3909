import AggregateCore
import AggregateTestSupport
import AggregateNews
import AggregateTestSupport
import Foundation
import Synchronization

/// Answers requests from memory and notes them.
final class MemoryClient: HTTPClient {
  struct Answer: Sendable {
    var status = 200
    var contentType = "application/json"
    var body: [UInt8]
    var headers: [HTTPField] = []

    init(
      _ body: String, status: Int = 200, contentType: String = "application/json",
      headers: [HTTPField] = []
    ) {
      self.init([UInt8](body.utf8), status: status, contentType: contentType)
      self.headers = headers
    }

    init(_ body: [UInt8], status: Int = 200, contentType: String = "application/json") {
      self.body = body
      self.status = status
      self.contentType = contentType
    }
  }

  private let answer: @Sendable (HTTPRequest) -> Answer
  private let seen = Mutex<[HTTPRequest]>([])

  init(_ answer: @escaping @Sendable (HTTPRequest) -> Answer) { self.answer = answer }

  var requests: [HTTPRequest] { seen.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    seen.withLock { $0.append(request) }
    let answer = answer(request)
    let response = HTTPResponse(
      status: answer.status,
      headers: [HTTPField("Content-Type", answer.contentType)] + answer.headers,
      body: ByteBuffer(answer.body), url: request.url, fetchedAt: Instant(microseconds: 0))
    switch request.judge?(response) {
    case .accept: return response
    case .retry(let message), .fail(let message), .renew(let message):
      throw AggregateError(
        .rejected, "\(request.url) answered \(answer.status): \(message ?? "")",
        status: answer.status)
    case nil: break
    }
    if answer.status >= 400 {
      throw AggregateError(
        answer.status >= 500 ? .unavailable : .rejected, "\(request.url) answered \(answer.status)",
        status: answer.status)
    }
    return response
  }
}

/// Options as they stand in a file, from a literal.
indirect enum Written: Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  case text(String)
  case list([Written])
  case map([(String, Written)])

  init(stringLiteral value: String) { self = .text(value) }
  init(arrayLiteral elements: Written...) { self = .list(elements) }
  init(dictionaryLiteral elements: (String, Written)...) { self = .map(elements) }

  var node: Node {
    let place = SourceLocation(file: "sources.yaml", line: 1, column: 1)
    switch self {
    case .text(let text): return .text(text, at: place, plain: !text.isEmpty)
    case .list(let list): return Node(.sequence(list.map(\.node)), at: place)
    case .map(let entries):
      return Node(
        .mapping(entries.map { Node.Entry(key: $0.0, location: place, value: $0.1.node) }),
        at: place)
    }
  }
}

/// What a run of the provider gave.
struct Ran: Sendable {
  var rows: [[String: Value]] = []
  var error: AggregateError?
  var warnings: [String] = []
  /// What was told, losses included.
  var lines: [String] = []
  /// Failures of parts that did not end the run.
  var failures: [AggregateError] = []

  func column(_ name: String) -> [String] { rows.map { $0[name]?.displayText ?? "?" } }
}

enum News {
  /// The diagnostics of options; the value of the option `moved` stands at `place`.
  static func diagnostics(
    _ options: Written, moving moved: String = "",
    to place: SourceLocation = SourceLocation(file: "sources.yaml", line: 1, column: 1)
  ) -> [Diagnostic] {
    var diagnostics = Diagnostics()
    let root = options.node
    let entries = (root.mapping ?? []).map { entry in
      entry.key != moved
        ? entry
        : Node.Entry(
          key: entry.key, location: entry.location, value: Node(entry.value.content, at: place))
    }
    // Common to all sources, and checked with them.
    let own = entries.filter { $0.key != "incremental" }
    Shape.checkEntries(
      own, NewsProvider.spec.options, of: "", at: root.location, into: &diagnostics)
    _ = NewsProvider(
      Options(Node(.mapping(entries), at: root.location), specs: NewsProvider.spec.options),
      &diagnostics)
    return diagnostics.all
  }

  static func run(
    _ options: Written, client: any HTTPClient, jobs: Int = 4, maxPages: Int? = nil,
    enough: Int = .max, policy: ErrorPolicy = .fail, cursors: (any Cursors)? = nil
  ) async -> Ran {
    var diagnostics = Diagnostics()
    let provider = NewsProvider(
      Options(options.node, specs: NewsProvider.spec.options), &diagnostics)
    let rows = Mutex<[[String: Value]]>([])
    let lines = Mutex<[String]>([])
    let log = RunLog(level: .verbose, isStrict: false) { line in
      lines.withLock { $0.append("\(line)") }
    }
    let tally = SourceTally()
    let context = ProviderContext(
      source: "news", http: client, log: log, jobs: jobs, maxPages: maxPages, errorPolicy: policy,
      tally: tally, cursors: cursors
    ) { work in
      guard case .batch(let batch) = work else { return }
      if rows.withLock({ $0.count >= enough }) { throw CancellationError() }
      rows.withLock { rows in
        for row in 0..<batch.rowCount {
          rows.append(Dictionary(uniqueKeysWithValues: zip(batch.schema.names, batch.row(row))))
        }
      }
    }
    var ran = Ran()
    do {
      try await provider.rows(context)
    } catch let error as AggregateError {
      ran.error = error
    } catch {
      ran.error = AggregateError(.internal, "\(error)")
    }
    ran.rows = rows.withLock { $0 }
    log.reportLosses()
    ran.warnings = log.warnings
    ran.lines = lines.withLock { $0 }
    ran.failures = tally.failures
    return ran
  }
}

/// Saved answers beside the project; tests that read them are skipped when they are not there.
enum SavedAnswers {
  static func files(_ folder: String) -> [String] { SharedCorpus.files("newsapi/\(folder)") }

  static func bytes(_ path: String) throws -> [UInt8] { try SharedCorpus.bytes("newsapi", path) }
}
