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
  private let identity: String
  private let metrics: SourceMetrics
  private let log: RunLog
  private let redactor: Redactor
  private let onStale: @Sendable (AggregateError) -> Void

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - inner: What answers that are not in the cache come from.
  ///   - identity: Whatever tells one user of the service from another beside the credentials of the
  ///     requests, such as the `auth:` section; only its hash is kept.
  ///   - onStale: Told the failure that a stale answer stands in for.
  public init(
    source: String, inner: any HTTPClient, store: CacheStore, policy: CachePolicy,
    identity: String = "", metrics: SourceMetrics, log: RunLog, redactor: Redactor,
    onStale: @escaping @Sendable (AggregateError) -> Void = { _ in }
  ) {
    self.source = source
    self.inner = inner
    self.store = store
    self.policy = policy
    self.identity = identity
    self.metrics = metrics
    self.log = log
    self.redactor = redactor
    self.onStale = onStale
  }

  deinit { tolerant { try store.flush() } }

  /// Answers from the cache where that is allowed, else from the inner client.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.method == "GET", !isConditional(request) else {
      if policy.mode == .offline { throw missing(request) }
      return try await inner.send(request)
    }
    let key = key(of: request)
    let entry = tolerant { try store.entries(key).first { matches($0, request) } }
    if let entry {
      let isFresh = Instant.now < freshUntil(entry)
      if policy.mode == .offline || (policy.mode == .normal && isFresh) {
        metrics.update { $0.cacheHits += 1 }
        log.detail(
          redactor.redact(
            "GET \(request.url) → cache, \(ByteCount.text(entry.body.count)), "
              + "\(WaitText.of(age(entry))) old"))
        return response(of: entry, request)
      }
    } else if policy.mode == .offline {
      throw missing(request)
    }
    return try await fetch(request, key: key, entry: entry)
  }

  private func fetch(
    _ request: HTTPRequest, key: String, entry: CacheStore.Entry?
  ) async throws -> HTTPResponse {
    var conditional = request
    if let entry, policy.mode != .refresh {
      let kept = response(of: entry, request)
      if let tag = kept.header("ETag") {
        conditional.headers.append(HTTPField("If-None-Match", tag))
      }
      if let date = kept.header("Last-Modified") {
        conditional.headers.append(HTTPField("If-Modified-Since", date))
      }
      // A confirmation has no body to be judged.
      let judge = request.judge
      conditional.judge = { $0.status == 304 ? .accept : judge?($0) }
    }
    do {
      let answer = try await inner.send(conditional)
      if answer.status == 304, let entry {
        return confirmed(entry, by: answer, request, key: key)
      }
      metrics.update { $0.cacheMisses += 1 }
      keep(answer, request, key: key)
      return answer
    } catch let error as AggregateError where isFailure(error) {
      guard let entry, mayStandIn(entry) else { throw error }
      metrics.update { $0.stale += 1 }
      log.warn(
        redactor.redact(
          "\(source): a stale answer, \(WaitText.of(age(entry))) old, stands in: \(error.message)"))
      onStale(error)
      return response(of: entry, request)
    }
  }

  /// The kept answer with the fields that the confirmation renews.
  private func confirmed(
    _ entry: CacheStore.Entry, by answer: HTTPResponse, _ request: HTTPRequest, key: String
  ) -> HTTPResponse {
    metrics.update { $0.cacheRevalidated += 1 }
    var renewed = entry
    let names = Set(answer.headers.map { $0.name.lowercased() })
    renewed.headers.removeAll { names.contains($0.name.lowercased()) }
    renewed.headers += Self.lasting(answer.headers)
    renewed.fetchedAt = answer.fetchedAt
    let response = response(of: renewed, request)
    renewed.freshUntil = Self.freshUntil(response)
    tolerant {
      try store.renew(renewed, key: key)
    }
    return response
  }

  private func keep(_ answer: HTTPResponse, _ request: HTTPRequest, key: String) {
    guard answer.status == 200 || answer.status == 203 else { return }
    // The answer of another address: the redirect to it need not last as long.
    if answer.url != request.url && policy.ttl == nil { return }
    if CacheControl(answer.headers).has("no-store") { return }
    if CacheControl(request.headers).has("no-store") { return }
    let hasValidator = answer.header("ETag") != nil || answer.header("Last-Modified") != nil
    let isDeclared = policy.ttl != nil || policy.staleIfError != nil
    guard CacheControl.lifetime(answer) != nil || hasValidator || isDeclared else { return }
    guard let vary = varying(answer, request) else { return }
    let entry = CacheStore.Entry(
      id: 0, vary: vary, status: answer.status, headers: Self.lasting(answer.headers),
      body: answer.body, url: redactor.redact(answer.url.description), fetchedAt: answer.fetchedAt,
      freshUntil: Self.freshUntil(answer))
    tolerant { try store.store(entry, key: key) }
  }

  private func isFailure(_ error: AggregateError) -> Bool {
    error.code == .unavailable || (policy.standsInForAll && error.code.endsOnePart)
  }

  private func mayStandIn(_ entry: CacheStore.Entry) -> Bool {
    let control = CacheControl(entry.headers)
    let allowed = policy.staleIfError?.seconds ?? control.seconds("stale-if-error")
    guard let allowed else { return false }
    if policy.staleIfError == nil && control.has("must-revalidate") { return false }
    let behind = Double(Instant.now.microseconds - freshUntil(entry).microseconds) / 1e6
    return behind <= allowed
  }

  // MARK: - Keys

  private func key(of request: HTTPRequest) -> String {
    let credentials = request.credentials.map { "\($0)" }
    let headers = request.headers.filter {
      ["authorization", "cookie"].contains($0.name.lowercased())
    }.map { "\($0.name.lowercased()):\($0.value)" }
    let parts = [request.url.description, identity] + credentials + headers
    // Lengths before the parts, so that no two lists give the same text.
    return SHA256.hexadecimal(parts.map { "\($0.utf8.count):\($0)" }.joined())
  }

  /// The names of the fields that the answer varies with, and a hash of their values; nil when it
  /// varies with everything.
  private func varying(_ answer: HTTPResponse, _ request: HTTPRequest) -> String? {
    let names = (answer.header("Vary") ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
      .filter { !$0.isEmpty }
    if names.contains("*") { return nil }
    return varyText(Set(names).sorted(), request)
  }

  private func matches(_ entry: CacheStore.Entry, _ request: HTTPRequest) -> Bool {
    let names = entry.vary.split(separator: "=").first?.split(separator: ",").map(String.init)
    return varyText(names ?? [], request) == entry.vary
  }

  private func varyText(_ names: [String], _ request: HTTPRequest) -> String {
    if names.isEmpty { return "" }
    let values = names.map { name in
      request.headers.filter { $0.name.lowercased() == name }.map(\.value).joined(separator: ",")
    }
    return names.joined(separator: ",") + "="
      + SHA256.hexadecimal(values.map { "\($0.utf8.count):\($0)" }.joined())
  }

  private func isConditional(_ request: HTTPRequest) -> Bool {
    request.headers.contains {
      let name = $0.name.lowercased()
      return name == "range" || name.hasPrefix("if-")
    }
  }

  // MARK: - Times

  private static func freshUntil(_ answer: HTTPResponse) -> Instant {
    let left = (CacheControl.lifetime(answer) ?? 0) - CacheControl.age(answer)
    return Instant(
      microseconds: answer.fetchedAt.microseconds + Int64(min(max(left, 0), 1e10) * 1e6))
  }

  private func freshUntil(_ entry: CacheStore.Entry) -> Instant {
    guard let ttl = policy.ttl else { return entry.freshUntil }
    return Instant(
      microseconds: entry.fetchedAt.microseconds + Int64(min(ttl.seconds, 1e10) * 1e6))
  }

  private func age(_ entry: CacheStore.Entry) -> Double {
    max(0, Double(Instant.now.microseconds - entry.fetchedAt.microseconds) / 1e6)
  }

  // MARK: - Answers

  private func response(of entry: CacheStore.Entry, _ request: HTTPRequest) -> HTTPResponse {
    HTTPResponse(
      status: entry.status, headers: entry.headers, body: entry.body, url: request.url,
      fetchedAt: entry.fetchedAt)
  }

  /// The fields that are kept: none that tell of the transfer, none that identify the user.
  private static func lasting(_ headers: [HTTPField]) -> [HTTPField] {
    let dropped: Set<String> = [
      "content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive",
      "set-cookie", "proxy-authenticate", "www-authenticate",
    ]
    return headers.filter { !dropped.contains($0.name.lowercased()) }
  }

  private func missing(_ request: HTTPRequest) -> AggregateError {
    AggregateError(
      .unavailable, redactor.redact("\(request.method) \(request.url) is not in the cache"),
      hint: "run once without “--offline”", source: source)
  }

  /// A cache that fails must not fail the run.
  @discardableResult
  private func tolerant<R>(_ body: () throws -> R?) -> R? {
    do { return try body() } catch {
      log.warn("the cache is not used: \((error as? AggregateError)?.message ?? "\(error)")")
      return nil
    }
  }
}
