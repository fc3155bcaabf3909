public import AggregateCore

/// The values of the keys that every source may have.
public struct SourceOptions: Sendable {
  /// How answers are kept between runs.
  public enum Cache: Sendable, Hashable {
    /// By what HTTP says, and as long as these say beyond that.
    case on(ttl: Duration?, staleIfError: Duration?)
    /// Not at all.
    case off
  }

  /// How a source asks only for what is new.
  public struct Incremental: Sendable {
    /// The column whose largest value is remembered.
    public let cursor: LocatedText
    /// The query parameter that takes it.
    public let query: String?
    /// The value for the first run.
    public let start: String?
    /// `iso`, `epoch_s`, `epoch_ms`, or a pattern such as `%Y-%m-%d`.
    public let format: String
    /// How far back a run begins before the remembered value.
    public let lag: Duration?
    /// Columns that tell a row from another.
    public let key: [LocatedText]
    /// The length of the parts that the time is split into.
    public let step: Duration?
    /// The query parameter that takes the end of a part.
    public let untilQuery: String?
  }

  /// What the source is.
  public let description: String?
  /// Values for templates.
  public let params: [String: String]
  /// The items of `stages`, as written.
  public let stages: [Node]
  /// What must hold for the rows.
  public let expect: Options?
  /// What happens when the source fails; nil when it is not said, which means ``ErrorPolicy/fail``.
  public let onError: ErrorPolicy?
  /// Timeouts, retries and the size of answers.
  public let policy: RequestPolicy
  /// The most requests in any window of time.
  public let rateLimit: Quantities.Rate?
  /// The most requests in a time, over all runs.
  public let quota: Quantities.Rate?
  /// The most requests at the same time.
  public let concurrency: Int?
  /// How answers are kept between runs.
  public let cache: Cache
  /// The most pages of one partition.
  public let maxPages: Int?
  /// From how many rows the columns are found; nil when it is not said.
  public let schemaSample: Int?
  /// What happens to a field that the sample did not have.
  public let onNewColumn: NewColumnPolicy
  /// How the source asks only for what is new.
  public let incremental: Incremental?
  /// Whether the columns of provenance are added.
  public let provenance: Bool
  /// Other hosts to which a next page may lead.
  public let allowHosts: [String]

  /// Reads the values from a source's mapping, which was checked before; wrong ones are left out.
  ///
  /// - Parameters:
  ///   - language: What computes the expressions of `params`.
  ///   - diagnostics: Takes what is wrong with values that are computed.
  init(_ node: Node, in language: (any ExpressionLanguage)?, _ diagnostics: inout Diagnostics) {
    let options = Options(node, specs: CommonOptions.specs)
    description = options.text("description")
    params = ComputedParams.values(
      options.entries("params") ?? [], in: language, &diagnostics)
    stages = options.nodes("stages") ?? []
    expect = options.options("expect", specs: CommonOptions.expectation)
    onError = options.given("on_error")?.string.flatMap(ErrorPolicy.init)
    policy = Self.policy(options)
    Self.checkTLS(options, &diagnostics)
    rateLimit = options.rate("rate_limit")
    quota = options.rate("quota")
    concurrency = options.int("concurrency")
    cache = Self.cache(options)
    maxPages = options.int("max_pages")
    let schema = options.options("schema", specs: CommonOptions.schema)
    schemaSample = schema?.int("sample")
    onNewColumn = schema?.text("on_new_column").flatMap(NewColumnPolicy.init) ?? .error
    incremental = options.options("incremental", specs: CommonOptions.incremental)
      .flatMap(Self.incremental)
    provenance = options.bool("provenance")
    allowHosts = options.texts("allow_hosts") ?? []
  }

  private static func located(_ options: Options, _ name: String) -> [LocatedText] {
    (options.nodes(name) ?? []).compactMap { LocatedText($0) }
  }

  private static func policy(_ options: Options) -> RequestPolicy {
    var policy = RequestPolicy()
    if let timeout = options.options("timeout", specs: CommonOptions.timeout),
      timeout.node.mapping != nil
    {
      policy.connectTimeout = timeout.duration("connect") ?? policy.connectTimeout
      policy.totalTimeout = timeout.duration("total") ?? policy.totalTimeout
      policy.stallTimeout = timeout.duration("stall") ?? policy.stallTimeout
    } else if let total = options.duration("timeout") {
      policy.totalTimeout = total
      policy.connectTimeout = min(policy.connectTimeout, total)
      policy.stallTimeout = min(policy.stallTimeout, total)
    }
    if let retry = options.options("retry", specs: CommonOptions.retry) {
      policy.attempts = retry.int("attempts") ?? policy.attempts
      policy.maxWait = retry.duration("max_wait") ?? policy.maxWait
      policy.breaker = retry.int("breaker") ?? policy.breaker
      if let statuses = retry.texts("statuses") {
        policy.retryStatuses = Set(statuses.compactMap { Int($0) })
      }
    }
    policy.maxBody = options.size("max_body") ?? policy.maxBody
    if let tls = options.options("tls", specs: CommonOptions.tls) {
      policy.tls.authorities = tls.text("ca")
      policy.tls.certificate = tls.text("certificate")
      policy.tls.key = tls.text("key")
      policy.tls.passphrase = tls.text("passphrase")
    }
    policy.proxy = options.text("proxy").map { $0 == "none" ? "" : $0 }
    return policy
  }

  private static func checkTLS(_ options: Options, _ diagnostics: inout Diagnostics) {
    guard let tls = options.given("tls"), tls["certificate"] == nil else { return }
    for name in ["key", "passphrase"] {
      guard let node = tls[name] else { continue }
      diagnostics.error(
        "tls", "“\(name)” belongs to a “certificate”, which is missing", at: node.location,
        hint: "write “tls: { certificate: FILE, \(name): … }”")
    }
  }

  private static func cache(_ options: Options) -> Cache {
    guard let node = options.given("cache") else { return .on(ttl: nil, staleIfError: nil) }
    if node.scalar != nil { return .off }
    let cache = Options(node, specs: CommonOptions.cache)
    return .on(ttl: cache.duration("ttl"), staleIfError: cache.duration("stale_if_error"))
  }

  private static func incremental(_ options: Options) -> Incremental? {
    guard let cursor = options.given("cursor").flatMap({ LocatedText($0) }) else { return nil }
    return Incremental(
      cursor: cursor, query: options.text("query"), start: options.text("start"),
      format: options.text("format") ?? "iso", lag: options.duration("lag"),
      key: located(options, "key"), step: options.duration("step"),
      untilQuery: options.text("until_query"))
  }
}
