import AggregateCore
import AggregateTestSupport
import AggregateJSON
import Synchronization

@testable import AggregateREST

/// Answers requests from a closure, as the transport would: a status of 400 and more fails unless the
/// request's judge accepts it.
final class FakeAPI: HTTPClient {
  struct Answer {
    var status = 200
    var headers: [(String, String)] = [("Content-Type", "application/json")]
    var body: String
    /// What is sent instead of `body` when it is given.
    var bytes: [UInt8]?
  }

  private let handler: @Sendable (HTTPRequest) -> Answer
  private let log = Mutex<[HTTPRequest]>([])

  init(_ handler: @escaping @Sendable (HTTPRequest) -> Answer) { self.handler = handler }

  var requests: [HTTPRequest] { log.withLock { $0 } }
  var addresses: [String] { requests.map(\.url.description) }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    log.withLock { $0.append(request) }
    let answer = handler(request)
    let response = HTTPResponse(
      status: answer.status, headers: answer.headers.map { HTTPField($0.0, $0.1) },
      body: answer.bytes.map { ByteBuffer($0) } ?? ByteBuffer(answer.body), url: request.url,
      fetchedAt: Instant(microseconds: 0))
    switch request.judge?(response) {
    case .accept: return response
    case .fail(let message), .retry(let message), .renew(let message):
      throw AggregateError(.rejected, message ?? "status \(answer.status)", status: answer.status)
    case nil:
      if answer.status >= 400 {
        throw AggregateError(.rejected, "status \(answer.status)", status: answer.status)
      }
      return response
    }
  }
}

extension HTTPRequest {
  /// The decoded value of a query parameter.
  func query(_ name: String) -> String? { url.queryItems.first { $0.name == name }?.value }
  func int(_ name: String, _ fallback: Int) -> Int { query(name).flatMap { Int($0) } ?? fallback }
  var text: String { String(decoding: body ?? [], as: UTF8.self) }
}

/// A configuration node from JSON: strings count as quoted, other scalars as plain.
func node(_ json: String) throws -> Node {
  func convert(_ value: JSONNode) -> Node {
    let place = SourceLocation(file: "sources.yaml", line: 1, column: value.range.lowerBound + 1)
    switch value.kind {
    case .array: return Node(.sequence(value.elements.map(convert)), at: place)
    case .object:
      let entries = value.members.map {
        Node.Entry(key: $0.key.string ?? "", location: place, value: convert($0.value))
      }
      return Node(.mapping(entries), at: place)
    case .text, .escapedText: return .text(value.string ?? "", at: place)
    default: return .text(value.rawText, at: place, plain: true)
    }
  }
  return convert(try JSONDocument(json).root)
}

/// What a run of a source gave.
struct Outcome {
  var names: [String] = []
  var rows: [[Value]] = []
  var warnings: [String] = []
  var error: AggregateError?

  /// The values of the first column.
  var ids: [Int] {
    rows.compactMap { row in
      switch row.first {
      case .int(let value): Int(value)
      case .number(let text): Int(text)
      default: nil
      }
    }
  }

  var texts: [[String]] { rows.map { $0.map(\.displayText) } }
}

/// Collects what is emitted.
actor Collector {
  var schema: Schema?
  var batches: [Batch] = []
  func take(_ work: Work) throws {
    switch work {
    case .batch(let batch): batches.append(batch)
    case .deferred(let decode):
      let decoded = decode()
      batches += decoded.batches
      if let failure = decoded.failure { throw failure }
    }
  }
  func take(_ schema: Schema) { self.schema = schema }
}

/// Makes a provider from JSON options; the mistakes found go to `diagnostics`.
func provider(_ json: String, _ diagnostics: inout Diagnostics) throws -> RESTProvider {
  let node = try node(json)
  let specs =
    RESTProvider.spec.options + [
      OptionSpec("params", .any, ""), OptionSpec("schema", .any, ""),
      OptionSpec("incremental", .any, ""), OptionSpec("allow_hosts", .any, ""),
    ]
  Shape.object(specs).check(node, name: "", into: &diagnostics)
  return RESTProvider(Options(node, specs: specs), &diagnostics)
}

/// Runs a source declared in JSON against an API.
func run(
  _ json: String, _ api: FakeAPI, jobs: Int = 1, maxPages: Int? = nil,
  rowLimit: Int? = nil, strict: Bool = false,
  parents: [String: Batch] = [:]
) async throws -> Outcome {
  var diagnostics = Diagnostics()
  let source = try provider(json, &diagnostics)
  try diagnostics.throwIfErrors()
  let parameters = try node(json)["params"]?.mapping ?? []
  let log = RunLog(level: .normal, isStrict: strict) { _ in }
  let collector = Collector()
  let context = ProviderContext(
    source: "items", http: api, log: log, jobs: jobs, maxPages: maxPages, rowLimit: rowLimit,
    parameters: Dictionary(
      uniqueKeysWithValues: parameters.map { ($0.key, $0.value.scalar?.text ?? "") }),
    publish: { schema in
      await collector.take(schema)
      return .all
    },
    openSource: { name, body in
      if let batch = parents[name] { try await body(batch) }
    },
    emit: { try await collector.take($0) })
  var outcome = Outcome()
  do {
    try await source.rows(context)
  } catch let error as AggregateError {
    outcome.error = error
  }
  for batch in await collector.batches {
    for row in 0..<batch.rowCount { outcome.rows.append(batch.row(row)) }
  }
  let schema = await collector.schema
  outcome.names = (source.schema ?? schema)?.names ?? []
  outcome.warnings = log.warnings
  return outcome
}

/// `{"id":FIRST},…` for records `first…last`, none when that is empty.
func records(_ first: Int, _ last: Int) -> String {
  first > last ? "[]" : "[\((first...last).map { "{\"id\":\($0)}" }.joined(separator: ","))]"
}

/// Page `page` of `total` records.
func pageBody(_ page: Int, _ size: Int, _ total: Int, _ extra: String = "") -> String {
  let items = records((page - 1) * size + 1, min(page * size, total))
  return
    "{\"items\":\(items),\"total\":\(total),\"total_pages\":\((total + size - 1) / size)\(extra)}"
}
