import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

/// A server with a list of numbers, in pages, and a provider that reads it.
///
/// A body is `next total n n n`: the token of the next page and the number of all records, `-` for none.
struct PagedServer: Sendable {
  /// How pages are asked for.
  enum Kind: CaseIterable {
    case page, pageTotal, offset, offsetTotal, cursor, nextURL, scroll
  }

  /// What it does that a server should not.
  enum Vice: CaseIterable {
    case none
    /// It gives page 1 whatever is asked.
    case ignoresPages
    /// Behind the last page it gives that one again.
    case repeatsLast
    /// It has fewer records than it says.
    case overstates
  }

  let kind: Kind
  let vice: Vice
  /// The records of each page that it would give, empty ones among them.
  let pages: [[Int]]
  /// How many records a page is asked to have.
  let size: Int

  /// All records.
  var records: [Int] { pages.flatMap(\.self) }

  fileprivate func body(_ request: HTTPRequest) -> String {
    func item(_ name: String) -> Int? {
      request.url.queryItems.first { $0.name == name }.flatMap { Int($0.value) }
    }
    let total = records.count + (vice == .overstates ? 7 : 0)
    func text(_ next: String?, _ total: Int?, _ rows: some Sequence<Int>) -> String {
      ([next ?? "-", total.map(String.init) ?? "-"] + rows.map(String.init))
        .joined(separator: " ")
    }
    let last = max(0, pages.count - 1)
    switch kind {
    case .page, .pageTotal:
      var index = vice == .ignoresPages ? 0 : (item("page") ?? 1) - 1
      if vice == .repeatsLast { index = min(index, last) }
      let rows = pages.indices.contains(index) ? pages[index] : []
      return text(nil, kind == .pageTotal ? total : nil, rows)
    case .offset, .offsetTotal:
      let offset = vice == .ignoresPages ? 0 : item("offset") ?? 0
      // It gives two less than it is asked for, at most.
      let rows = records.dropFirst(offset).prefix(max(1, min(size, item("limit") ?? size) - 2))
      return text(nil, kind == .offsetTotal ? total : nil, rows)
    case .cursor, .nextURL, .scroll:
      let index = item("at") ?? 0
      let rows = pages.indices.contains(index) ? pages[index] : []
      return text(index < last ? String(index + 1) : nil, nil, rows)
    }
  }
}

/// Answers as the server does; a scroll keeps its place.
final class PagedClient: HTTPClient {
  let server: PagedServer
  let asked = Mutex(0)

  init(_ server: PagedServer) { self.server = server }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let count = asked.withLock { count in
      count += 1
      return count
    }
    var text = server.body(request)
    if server.kind == .scroll {
      let rows = count <= server.pages.count ? server.pages[count - 1] : []
      text = (["s", "-"] + rows.map(String.init)).joined(separator: " ")
    }
    return HTTPResponse(
      status: 200, headers: [], body: ByteBuffer(text), url: request.url,
      fetchedAt: Instant(microseconds: 0))
  }
}

/// Reads a ``PagedServer``.
struct PagedProvider: EndpointProvider {
  static let spec = ProviderSpec("paged", "numbers", options: [], example: "paged: {}")

  let endpoint: PagedEndpoint
  let decoder = PagedDecoder()
  let mapper = PagedMapper()

  init(_ server: PagedServer) { endpoint = PagedEndpoint(server: server) }

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    self.init(PagedServer(kind: .page, vice: .none, pages: [], size: 1))
  }

  /// What a run gives.
  static func read(
    _ server: PagedServer, jobs: Int = 1, maxPages: Int? = nil
  ) async -> (rows: [Int], error: AggregateError?, warnings: [String], requests: Int) {
    let client = PagedClient(server)
    let emitted = Mutex<[Batch]>([])
    let log = RunLog(level: .normal, isStrict: false) { _ in }
    let context = ProviderContext(
      source: "src", http: client, log: log, jobs: jobs, maxPages: maxPages,
      emit: { work in if case .batch(let batch) = work { emitted.withLock { $0.append(batch) } } })
    var failure: AggregateError?
    do { try await PagedProvider(server).rows(context) } catch {
      failure = error as? AggregateError
    }
    let rows = emitted.withLock { $0 }.flatMap { batch in
      (0..<batch.rowCount).compactMap { Int(batch.columns[0].value(at: $0).displayText) }
    }
    return (rows, failure, log.warnings, client.asked.withLock { $0 })
  }
}

struct PagedEndpoint: Endpoint {
  let server: PagedServer

  func parts(_ context: ProviderContext, yield: (Int) async throws -> Void) async throws {
    try await yield(0)
  }

  func request(for part: Int) throws -> HTTPRequest {
    HTTPRequest("GET", try #require(WebURL("http://h/list")))
  }

  func paging(of part: Int) -> Paging<[String]> {
    typealias Field = Paging<[String]>.Field
    let total = Field("total") { $0[1] == "-" ? nil : .number($0[1]) }
    let next = Field("next") { $0[0] == "-" ? nil : .text($0[0]) }
    let kind: Paging<[String]>.Kind
    switch server.kind {
    case .page, .pageTotal:
      var numbered = Paging<[String]>.Numbered("page", first: 1)
      numbered.total = total
      kind = .page(numbered)
    case .offset, .offsetTotal:
      var numbered = Paging<[String]>.Numbered(
        "offset", first: 0, sizeParam: "limit", size: server.size)
      numbered.total = total
      kind = .offset(numbered)
    case .cursor, .scroll: kind = .cursor(.init(from: next, param: "at"))
    case .nextURL:
      kind = .nextURL(Field("next") { $0[0] == "-" ? nil : .text("?at=\($0[0])") })
    }
    return Paging(kind) { $0.count - 2 }
  }
}

struct PagedDecoder: PayloadDecoder {
  func decode(_ response: HTTPResponse) throws -> [String] {
    response.body.text.split(separator: " ").map(String.init)
  }
}

struct PagedMapper: RowMapper {
  let schema = Schema([ColumnSpec("n", .int)])

  func map(_ payload: [String], of part: Int, into rows: inout BatchBuilder) throws {
    for number in payload.dropFirst(2) {
      rows.append(Int(number))
      rows.endRow()
    }
  }
}
