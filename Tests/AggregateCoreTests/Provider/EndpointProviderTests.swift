import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

/// A service with numbered pages of numbers, as a provider of one part.
private struct NumbersProvider: EndpointProvider {
  static let spec = ProviderSpec(
    "numbers", "numbers", options: [], columns: [ColumnSpec("number", .text)],
    example: "numbers:\n  provider: numbers")

  let endpoint = NumbersEndpoint()
  let decoder = NumbersDecoder()
  let mapper = NumbersMapper()

  init(_ options: Options, _ diagnostics: inout Diagnostics) {}
  init() {}
}

private struct NumbersEndpoint: Endpoint {
  func parts(_ context: ProviderContext, yield: (Int) async throws -> Void) async throws {
    try await yield(0)
  }

  func request(for part: Int) throws -> HTTPRequest { try page(1) }

  func request(
    after page: Page<Int, [String]>, _ context: ProviderContext
  ) throws -> HTTPRequest? {
    page.payload.contains("end") ? nil : try self.page(page.index + 2)
  }

  private func page(_ number: Int) throws -> HTTPRequest {
    HTTPRequest("GET", try #require(WebURL("http://h/\(number)")))
  }
}

private struct NumbersDecoder: PayloadDecoder {
  func decode(_ response: HTTPResponse) throws -> [String] {
    response.body.text.split(separator: " ").map(String.init)
  }
}

private struct NumbersMapper: RowMapper {
  let schema = Schema([ColumnSpec("number", .text)])

  func map(_ payload: [String], of part: Int, into rows: inout BatchBuilder) throws {
    for number in payload where number != "end" && number != "none" {
      rows.append(number)
      rows.endRow()
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct EndpointProviderTests {
  /// The pages of the service; what is behind the last one is the last one again.
  private final class Pages: HTTPClient {
    let pages: [String]
    let requests = Mutex(0)

    init(_ pages: [String]) { self.pages = pages }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      requests.withLock { $0 += 1 }
      let number = Int(request.url.path.dropFirst()) ?? 1
      return HTTPResponse(
        status: 200, headers: [], body: ByteBuffer(pages[min(number, pages.count) - 1]),
        url: request.url, fetchedAt: .now)
    }
  }

  private struct Outcome {
    var rows: [String]
    var requests: Int
    var error: AggregateError?
    var notes: [String]
    var stop: String?
  }

  private func read(_ pages: [String], maxPages: Int? = nil) async throws -> Outcome {
    let client = Pages(pages)
    let emitted = Mutex<[Batch]>([])
    let notes = Mutex<[String]>([])
    let tally = SourceTally()
    let context = ProviderContext(
      source: "src", http: client,
      log: RunLog(level: .normal, isStrict: false) { line in notes.withLock { $0.append("\(line)") }
      },
      jobs: 4, maxPages: maxPages, tally: tally,
      emit: { work in if case .batch(let batch) = work { emitted.withLock { $0.append(batch) } } })
    var failure: AggregateError?
    do { try await NumbersProvider().rows(context) } catch let error as AggregateError {
      failure = error
    }
    return Outcome(
      rows: TestRows.shown(emitted.withLock { $0 }), requests: client.requests.withLock { $0 },
      error: failure,
      notes: notes.withLock { $0 }, stop: tally.stop)
  }

  @Test func pagesAreReadToTheirEnd() async throws {
    let outcome = try await read(["1 2", "3 4", "none", "5 end"])
    #expect(outcome.rows.count == 5)
    #expect(outcome.requests == 4)
    #expect(outcome.error == nil && outcome.notes.isEmpty && outcome.stop == nil)
  }

  @Test func serverThatIgnoresThePageIsAnAnomaly() async throws {
    let outcome = try await read(["1 2 3"])
    #expect(outcome.error?.code == .pagination)
    #expect(outcome.rows.count == 3)
    #expect(outcome.requests == 3)
  }

  @Test func lastPageOnceMoreIsTheEnd() async throws {
    let outcome = try await read(["1 2", "3 4"])
    #expect(outcome.error == nil)
    #expect(outcome.rows.count == 4)
    #expect(outcome.requests == 4)
    #expect(outcome.notes.first?.contains("page 4 repeats the page before it") == true)
  }

  @Test func pagesInACircleAreAnAnomaly() async throws {
    let outcome = try await read(["1 2", "3 4", "1 2", "3 4", "5 6 end"])
    #expect(outcome.error?.code == .pagination)
    #expect(outcome.rows.count == 4)
    let honest = try await read(["1 2", "3 4", "1 2", "5 6 end"])
    #expect(honest.error == nil)
    #expect(honest.rows.count == 8)
  }

  @Test func serverWithoutRowsEndsSomeTime() async throws {
    let outcome = try await read(["none"])
    #expect(outcome.error?.code == .pagination)
    #expect(outcome.requests == PageGuard.maximumEmptyPages + 1)
  }

  @Test func maxPagesIsToldOnlyWhenThereIsMore() async throws {
    let cut = try await read(["1 2", "3 4", "5 end"], maxPages: 2)
    #expect(cut.rows.count == 4)
    #expect(cut.stop == "max_pages")
    #expect(cut.notes == ["src: stopped after 2 pages (max_pages)"])
    let whole = try await read(["1 2", "3 end"], maxPages: 2)
    #expect(whole.rows.count == 3)
    #expect(whole.stop == nil && whole.notes.isEmpty)
  }
}
