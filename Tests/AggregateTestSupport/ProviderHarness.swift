import AggregateConfig
public import AggregateCore
import Synchronization

/// An HTTP client whose answers are in memory: no network, everything counted.
public final class RecordedClient: HTTPClient {
  /// What a request is answered with.
  public struct Answer: Sendable {
    /// Whether it answers a request.
    public var matches: @Sendable (HTTPRequest) -> Bool
    /// The status; from 400 on, `send` throws what the transport would.
    public var status: Int
    /// The header fields.
    public var headers: [HTTPField]
    /// The body.
    public var body: [UInt8]
    /// How long it takes to arrive.
    public var delay: Duration

    /// Creates an answer to the requests that `matches` accepts.
    public init(
      status: Int = 200, headers: [HTTPField] = [], body: [UInt8], delay: Duration = .zero,
      matches: @escaping @Sendable (HTTPRequest) -> Bool
    ) {
      self.matches = matches
      self.status = status
      self.headers = headers
      self.body = body
      self.delay = delay
    }

    /// A text in answer to addresses (without the scheme, as written or decoded) that contain all of `texts`.
    public static func to(
      _ texts: String..., status: Int = 200, type: String = "application/json",
      after delay: Duration = .zero, giving body: String
    ) -> Answer {
      Answer(
        status: status, headers: [HTTPField("Content-Type", type)], body: Array(body.utf8),
        delay: delay, matches: { $0.url.containsAll(texts) })
    }

    /// The samples that a provider brings along.
    public static func samples(of spec: ProviderSpec) -> [Answer] {
      spec.samples.map { sample in
        Answer(
          headers: [HTTPField("Content-Type", sample.contentType)], body: sample.body(),
          matches: { sample.answers($0.url) })
      }
    }
  }

  private struct State {
    var requests: [HTTPRequest] = []
    var underWay = 0
    var mostUnderWay = 0
  }

  private let answers: [Answer]
  private let scrambles: Bool
  private let state = Mutex(State())

  /// Creates a client; of several answers that match, the first is given.
  ///
  /// - Parameter scrambles: Whether later requests are answered before earlier ones.
  public init(_ answers: [Answer], scrambles: Bool = false) {
    self.answers = answers
    self.scrambles = scrambles
  }

  /// The requests so far, in the order they were sent.
  public var requests: [HTTPRequest] { state.withLock { $0.requests } }
  /// Their addresses.
  public var addresses: [String] { requests.map(\.url.description) }
  /// The most requests that were under way at the same time.
  public var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }

  /// The first answer that matches, after its delay; none is a 404.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let index = state.withLock { state in
      state.requests.append(request)
      state.underWay += 1
      state.mostUnderWay = max(state.mostUnderWay, state.underWay)
      return state.requests.count - 1
    }
    defer { state.withLock { $0.underWay -= 1 } }
    try Task.checkCancellation()
    let answer = answers.first { $0.matches(request) }
    var delay = answer?.delay ?? .zero
    if scrambles { delay += .milliseconds(2 * (7 - index % 8)) }
    if delay > .zero { try await Task.sleep(for: delay) }
    let response = HTTPResponse(
      status: answer?.status ?? 404, headers: answer?.headers ?? [],
      body: ByteBuffer(answer?.body ?? Array("no answer was recorded".utf8)), url: request.url,
      fetchedAt: Instant(microseconds: 0))
    switch request.judge?(response) ?? Self.usualVerdict(response) {
    case .accept: return response
    case .renew:
      throw AggregateError(.rejected, "the credentials were refused", status: response.status)
    case .retry(let message), .fail(let message):
      let said = message ?? response.body.text(0..<min(200, response.body.count))
      throw AggregateError(
        response.status >= 500 || response.status == 429 ? .unavailable : .rejected,
        "\(request.method) \(request.url) answered \(response.status): \(said)",
        status: response.status)
    }
  }

  private static func usualVerdict(_ response: HTTPResponse) -> ResponseVerdict {
    response.status < 400 ? .accept : .fail(message: nil)
  }
}

extension WebURL {
  fileprivate func containsAll(_ texts: [String]) -> Bool {
    let address = "\(authority)\(path)" + (query.map { "?\($0)" } ?? "")
    let decoded = WebURL.decoded(address, plusIsSpace: true)
    return texts.allSatisfy { address.contains($0) || decoded.contains($0) }
  }
}

/// Makes providers from YAML, as the program does, and runs them.
public enum ProviderHarness {
  /// The provider `type` with the options `yaml`: the lines of a source without `provider:`.
  ///
  /// - Throws: ``DiagnosticsError`` with everything that is wrong with the options.
  public static func make(
    _ type: any Provider.Type, _ yaml: String = "", environment: [String: String] = [:]
  ) throws -> any Provider {
    let lines = yaml.split(separator: "\n", omittingEmptySubsequences: false)
    let source = "src:\n  provider: \(type.spec.name)\n" + lines.map { "  \($0)\n" }.joined()
    return try make(type, declaration: source, environment: environment)
  }

  /// The provider of the first source in `declaration`, the text of an entry of `sources:`.
  public static func make(
    _ type: any Provider.Type, declaration: String, environment: [String: String] = [:]
  ) throws -> any Provider {
    let lines = declaration.split(separator: "\n", omittingEmptySubsequences: false)
    let text = "version: 1\nsources:\n" + lines.map { "  \($0)\n" }.joined()
    let loader = ConfigurationLoader(
      providers: ProviderRegistry([type]), stages: StageRegistry([]), redactor: Redactor(),
      environment: environment)
    var (configuration, diagnostics) = loader.load(Array(text.utf8), path: "sources.yaml")
    let provider = configuration.sources.first?.makeProvider(&diagnostics)
    try diagnostics.throwIfErrors()
    guard let provider else {
      throw AggregateError(.configuration, "there is no source in:\n\(text)")
    }
    return provider
  }

  /// The messages of what is wrong with the options `yaml`, in order of place.
  public static func mistakes(_ type: any Provider.Type, _ yaml: String) -> [String] {
    do {
      _ = try make(type, yaml)
      return []
    } catch let error as DiagnosticsError {
      return error.diagnostics.map { $0.message + ($0.hint.map { "; \($0)" } ?? "") }
    } catch {
      return ["\(error)"]
    }
  }

  /// The batches that `provider` emits.
  ///
  /// - Parameters:
  ///   - sources: The rows of other declared sources.
  ///   - limit: After how many rows no more are wanted; the run then ends as if it was done.
  public static func run(
    _ provider: any Provider, _ client: any HTTPClient, jobs: Int = 8, maxPages: Int? = nil,
    log: RunLog = .silent, errorPolicy: ErrorPolicy = .fail, tally: SourceTally = SourceTally(),
    sources: [String: [Batch]] = [:], limit: Int = .max
  ) async throws -> [Batch] {
    let rows = Rows(limit: limit)
    let context = ProviderContext(
      source: "src", http: client, log: log, jobs: jobs, maxPages: maxPages,
      errorPolicy: errorPolicy, tally: tally,
      publish: { schema in
        try rows.publish(schema)
        return .all
      },
      openSource: { name, body in
        guard let batches = sources[name] else {
          throw AggregateError(.configuration, "there is no source “\(name)”")
        }
        for batch in batches { try await body(batch) }
      },
      emit: { try rows.take($0) })
    do {
      try await provider.rows(context)
    } catch is CancellationError where rows.isSatisfied {
    } catch let error as AggregateError {
      throw error.of(source: "src")
    }
    if provider.schema == nil, let published = rows.published {
      return rows.batches.map { $0.conformed(to: published) }
    }
    return rows.batches
  }

  /// The rows that `provider` emits, as texts.
  public static func rows(
    _ provider: any Provider, _ client: any HTTPClient, jobs: Int = 8
  ) async throws -> [String] {
    TestRows.shown(try await run(provider, client, jobs: jobs))
  }

  /// The values of one column of `batches`, as texts; null and absent are nil.
  public static func column(_ name: String, of batches: [Batch]) -> [String?] {
    batches.flatMap { batch -> [String?] in
      guard let index = batch.schema.index(of: name) else {
        return Array(repeating: "no column \(name)", count: batch.rowCount)
      }
      return (0..<batch.rowCount).map { row in
        let value = batch.columns[index].value(at: row)
        return value.isNull ? nil : value.displayText
      }
    }
  }

  /// Collects what is emitted; refuses what comes after enough.
  private final class Rows: Sendable {
    private struct State {
      var batches: [Batch] = []
      var count = 0
      var published: Schema?
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    var batches: [Batch] { state.withLock { $0.batches } }
    var published: Schema? { state.withLock { $0.published } }
    var isSatisfied: Bool { state.withLock { $0.count >= limit } }

    func publish(_ schema: Schema) throws {
      try state.withLock { state in
        if state.published != nil { throw ProviderMistake("a schema is published twice") }
        if state.count > 0 { throw ProviderMistake("a schema is published after rows") }
        state.published = schema
      }
    }

    func take(_ work: Work) throws {
      try state.withLock { state in
        if state.count >= limit { throw CancellationError() }
        let decoded =
          switch work {
          case .batch(let batch): Decoded(batches: [batch])
          case .deferred(let decode): decode()
          }
        for batch in decoded.batches {
          state.batches.append(batch)
          state.count += batch.rowCount
        }
        if let failure = decoded.failure { throw failure }
        if state.count >= limit { throw CancellationError() }
      }
    }
  }
}
