public import AggregateCore
internal import Synchronization

/// A private HTTP cache by RFC 9111 in front of another client; only GET answers are kept.
///
/// Nothing is guessed: an answer is kept when it says how long it is fresh, or has a validator, or
/// when the source declares a time of its own. What can't be stored or read costs a warning only.
public final class CacheClient: HTTPClient {
  private let source: String
  private let inner: any HTTPClient
  private let store: CacheStore
  private let policy: CachePolicy
  private let identity: CacheKey.Identity
  private let metrics: SourceMetrics
  private let log: RunLog
  private let redactor: Redactor
  private let onStale: @Sendable (AggregateError) -> Void
  private let clock: @Sendable () -> Instant
  private let hasFailed = Mutex(false)

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - inner: What answers that are not in the cache come from.
  ///   - identity: Whatever tells one user of the service from another beside the credentials of the
  ///     requests, such as the `auth:` section; only its hash is kept.
  ///   - onStale: Told the failure that a stale answer stands in for.
  ///   - clock: The present time.
  public init(
    source: String, inner: any HTTPClient, store: CacheStore, policy: CachePolicy,
    identity: String = "", metrics: SourceMetrics, log: RunLog, redactor: Redactor,
    onStale: @escaping @Sendable (AggregateError) -> Void = { _ in },
    clock: @escaping @Sendable () -> Instant = { .now }
  ) {
    self.source = source
    self.inner = inner
    self.store = store
    self.policy = policy
    self.identity = CacheKey.Identity(identity)
    self.metrics = metrics
    self.log = log
    self.redactor = redactor
    self.onStale = onStale
    self.clock = clock
  }

  deinit { tolerant { try store.flush() } }

  /// Answers from the cache where that is allowed, else from the inner client.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.method == "GET", !isConditional(request) else {
      if policy.mode == .offline { throw missing(request) }
      let answer = try await inner.send(request)
      invalidate(request, answer)
      return answer
    }
    let key = CacheKey(request, identity: identity)
    let directives = RequestDirectives(request.headers)
    let entry = tolerant {
      try store.newest(key) { CacheKey.matches($0, request) }
    }
    if let entry, mayBeUsed(entry, directives) {
      metrics.update { $0.cacheHits += 1 }
      log.detail(
        redactor.redact(
          "GET \(request.url) → cache, \(ByteCount.text(entry.body.count)), "
            + "\(WaitText.of(age(entry))) old"))
      tolerant { try store.used(entry, key: key, now: clock()) }
      return unconfirmed(entry, request)
    }
    if policy.mode == .offline || directives.onlyIfCached { throw missing(request) }
    return try await fetch(request, key, directives, entry)
  }

  /// Whether an answer may be used without asking the server (sections 4, 4.2 and 5.2.1).
  private func mayBeUsed(_ entry: CacheEntry, _ directives: RequestDirectives) -> Bool {
    switch policy.mode {
    case .offline: return true
    case .refresh: return false
    case .normal: break
    }
    let now = clock()
    // Of the future: one of the clocks was wrong, and nothing is known of its age.
    if directives.noCache || entry.fetchedAt > now { return false }
    if let most = directives.maxAge, age(entry) > most { return false }
    let left = CacheFreshness.seconds(from: now, to: freshUntil(entry))
    if left > directives.minFresh { return true }
    return left <= 0 && -left <= directives.maxStale && directives.maxStale > 0
      && directives.minFresh == 0 && !CacheControl(entry.headers).forbidsStale
  }

  private func fetch(
    _ request: HTTPRequest, _ key: CacheKey, _ directives: RequestDirectives, _ entry: CacheEntry?
  ) async throws -> HTTPResponse {
    var conditional = request
    let confirmable = policy.mode == .refresh ? nil : entry
    let conditions = confirmable.map(ResponseValidators.init)?.conditions ?? []
    if !conditions.isEmpty {
      conditional.headers += conditions
      // A confirmation has no body to be judged.
      let judge = request.judge
      conditional.judge = { $0.status == 304 ? .accept : judge?($0) }
    }
    do {
      var answer = try await inner.send(conditional)
      if answer.status == 304, let confirmable, !conditions.isEmpty {
        if ResponseValidators(confirmable).areConfirmed(by: answer.headers) {
          return confirmed(confirmable, by: answer, request, key)
        }
        // It confirms something that is not here (section 4.3.4).
        answer = try await inner.send(request)
      }
      metrics.update { $0.cacheMisses += 1 }
      if let kept = entryToKeep(answer, request, directives) {
        tolerant { try store.store(kept, key: key) }
      } else if let entry, (200..<400).contains(answer.status), answer.status != 304 {
        // What it replaces must not be used after it.
        tolerant { try store.remove(entry, key: key) }
      }
      return answer
    } catch let error as AggregateError where isFailure(error) {
      guard let entry, mayStandIn(entry, for: error, request) else { throw error }
      metrics.update { $0.stale += 1 }
      log.warn(
        redactor.redact(
          "\(source): a stale answer, \(WaitText.of(age(entry))) old, stands in: \(error.message)"))
      onStale(error)
      return unconfirmed(entry, request)
    }
  }

  /// The kept answer with the fields that the confirmation renews.
  private func confirmed(
    _ entry: CacheEntry, by answer: HTTPResponse, _ request: HTTPRequest, _ key: CacheKey
  ) -> HTTPResponse {
    metrics.update { $0.cacheRevalidated += 1 }
    var renewed = entry.confirmed(by: answer.headers, at: answer.fetchedAt)
    let vary = CacheKey.variant(renewed.headers, of: request)
    if let vary, !CacheControl(renewed.headers).has("no-store") {
      renewed.vary = vary
      tolerant { try store.renew(renewed, key: key, insteadOf: entry) }
    } else {
      tolerant { try store.remove(entry, key: key) }
    }
    return HTTPResponse(
      status: renewed.status, headers: renewed.headers, body: renewed.body, url: request.url,
      fetchedAt: renewed.fetchedAt)
  }

  /// What is kept of an answer; nil when it is not to be kept (section 3).
  private func entryToKeep(
    _ answer: HTTPResponse, _ request: HTTPRequest, _ directives: RequestDirectives
  ) -> CacheEntry? {
    guard answer.status == 200 || answer.status == 203 else { return nil }
    // The answer of another address: the redirect to it need not last as long.
    if answer.url != request.url && policy.ttl == nil { return nil }
    let control = CacheControl(answer.headers)
    if directives.noStore { return nil }
    // The statuses that are kept at all are understood.
    if control.has("no-store") && !control.has("must-understand") { return nil }
    let freshness = CacheFreshness(answer.headers, control: control, askedAt: answer.fetchedAt)
    let headers = CacheEntry.lasting(answer.headers, control)
    let hasValidator = !ResponseValidators(headers).conditions.isEmpty
    let isDeclared = policy.ttl != nil || policy.staleIfError != nil
    guard freshness.lifetime != nil || hasValidator || isDeclared else { return nil }
    guard let vary = CacheKey.variant(answer.headers, of: request) else { return nil }
    return CacheEntry(
      id: 0, vary: vary, status: answer.status, headers: headers, body: answer.body,
      fetchedAt: answer.fetchedAt,
      freshUntil: freshness.end(askedAt: answer.fetchedAt), usedAt: clock())
  }

  // MARK: - Stale answers

  private func isFailure(_ error: AggregateError) -> Bool {
    error.code == .unavailable || (policy.standsInForAll && error.code.endsOnePart)
  }

  /// Whether a stale answer may be used in place of a failure (section 4.2.4, RFC 5861).
  private func mayStandIn(
    _ entry: CacheEntry, for error: AggregateError, _ request: HTTPRequest
  ) -> Bool {
    // Whoever reads on with what was there says so, and the rows are marked.
    if policy.standsInForAll { return true }
    let control = CacheControl(entry.headers)
    if control.forbidsStale { return false }
    let behind = CacheFreshness.seconds(from: freshUntil(entry), to: clock())
    if let allowed = policy.staleIfError { return behind <= allowed.seconds }
    // For others the directive means the statuses from 500, and that there is no answer at all.
    if let status = error.status, status < 500 { return false }
    let allowed =
      CacheControl(request.headers).seconds("stale-if-error") ?? control.seconds("stale-if-error")
    return allowed.map { behind <= $0 } ?? false
  }

  // MARK: - Invalidation

  /// Forgets what an answer to an unsafe method has made obsolete (section 4.4).
  private func invalidate(_ request: HTTPRequest, _ answer: HTTPResponse) {
    guard !["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.method),
      (200..<400).contains(answer.status)
    else { return }
    let named = ["Location", "Content-Location"].compactMap {
      answer.header($0).flatMap { answer.url.resolving($0) }
    }
    let urls = [request.url] + ([answer.url] + named).filter { $0.hasOrigin(of: request.url) }
    for target in Set(urls.map(CacheKey.target)) {
      tolerant { try store.invalidate(target: target) }
    }
  }

  private func isConditional(_ request: HTTPRequest) -> Bool {
    request.headers.contains {
      let name = $0.name.lowercased()
      return name == "range" || name.hasPrefix("if-")
    }
  }

  // MARK: - Times

  private func freshUntil(_ entry: CacheEntry) -> Instant {
    policy.ttl.map { entry.fetchedAt.later(by: $0.seconds) } ?? entry.freshUntil
  }

  /// The age by section 4.2.3, in seconds.
  private func age(_ entry: CacheEntry) -> Double {
    CacheFreshness(entry.headers, askedAt: entry.fetchedAt).initialAge
      + max(0, CacheFreshness.seconds(from: entry.fetchedAt, to: clock()))
  }

  // MARK: - Answers

  /// A kept answer that the server was not asked about: it tells its age (section 5.1).
  private func unconfirmed(_ entry: CacheEntry, _ request: HTTPRequest) -> HTTPResponse {
    let headers = entry.headers.filter { !$0.isNamed("age") }
    return HTTPResponse(
      status: entry.status, headers: headers + [HTTPField("Age", "\(Int(age(entry)))")],
      body: entry.body, url: request.url, fetchedAt: entry.fetchedAt)
  }

  private func missing(_ request: HTTPRequest) -> AggregateError {
    AggregateError(
      .unavailable, redactor.redact("\(request.method) \(request.url) is not in the cache"),
      hint: policy.mode == .offline
        ? "run once without “--offline”" : "its header “only-if-cached” forbids to ask for it",
      source: source)
  }

  /// A cache that fails must not fail the run; it is not asked again in it.
  @discardableResult
  private func tolerant<R>(_ body: () throws -> R?) -> R? {
    if hasFailed.withLock({ $0 }) { return nil }
    do { return try body() } catch {
      hasFailed.withLock { $0 = true }
      log.warn("the cache is not used: \((error as? AggregateError)?.message ?? "\(error)")")
      return nil
    }
  }
}
