public import AggregateCore
internal import Synchronization

/// The HTTP client of one source: credentials, redirects, retries, waits and limits over a wire.
public final class HTTPTransport: HTTPClient {
  /// The statuses that lead to another address.
  private static let redirects: Set<Int> = [301, 302, 303, 307, 308]
  /// The most redirects that are followed.
  public static let maxRedirects = 10
  /// The most times that a request is sent again because others had credentials renewed.
  static let maxChanges = 100

  /// What the requests came to.
  public let metrics: SourceMetrics
  let source: String
  let policy: RequestPolicy
  let log: RunLog
  let redactor: Redactor
  private let wire: any Wire
  private let slots: RequestSlots
  private let ownSlots: RequestSlots?
  private let limit: (any RequestLimit)?
  private let waits: Bool
  private let registered = Mutex<Set<Credential>>([])
  private let told = Mutex<Instant?>(nil)
  /// Held by who gets or renews credentials.
  private let renewing = RequestSlots(1)
  private let hosts: HostRecords

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - source: The name of the source, for messages.
  ///   - wire: What the exchanges go over.
  ///   - policy: Timeouts, tries and sizes.
  ///   - slots: The requests that may be under way in the whole run.
  ///   - concurrency: How many of them may be of this source; nil for no bound of its own.
  ///   - limit: The rate limit and the quota.
  ///   - hosts: What the run knows of the hosts that it asks.
  ///   - waits: Whether waits are kept; not for a recording.
  public init(
    source: String, wire: any Wire, policy: RequestPolicy, slots: RequestSlots,
    concurrency: Int? = nil, limit: (any RequestLimit)? = nil, hosts: HostRecords = HostRecords(),
    log: RunLog, redactor: Redactor, metrics: SourceMetrics = SourceMetrics(),
    waits: Bool = true
  ) {
    self.source = source
    self.wire = wire
    self.policy = policy
    self.slots = slots
    ownSlots = concurrency.map { RequestSlots($0) }
    self.limit = limit
    self.hosts = hosts
    self.log = log
    self.redactor = redactor
    self.metrics = metrics
    self.waits = waits
  }

  /// Sends `request`, trying again as the policy allows.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await send(request, limited: true)
  }

  private func send(_ request: HTTPRequest, limited: Bool) async throws -> HTTPResponse {
    do {
      return try await guarded(request, limited: limited)
    } catch let error as AggregateError {
      var error = error.of(source: source)
      error.message = redactor.redact(error.message)
      throw error
    }
  }

  /// Sends a request unless its host is down.
  private func guarded(_ request: HTTPRequest, limited: Bool) async throws -> HTTPResponse {
    guard heedsBreaker else {
      return try await attempts(request, limited: limited, isTrial: false)
    }
    let isTrial = try hosts.admit(request.url)
    defer { if isTrial { hosts.abandonTrial(of: request.url) } }
    return try await attempts(request, limited: limited, isTrial: isTrial)
  }

  private func attempts(
    _ request: HTTPRequest, limited: Bool, isTrial: Bool
  ) async throws -> HTTPResponse {
    var attempt = 1
    while true {
      let failure: AttemptFailure
      do {
        let (response, verdict) = try await authorized(request, limited: limited)
        switch verdict ?? usualVerdict(response) {
        case .accept:
          hosts.noteAnswer(from: request.url)
          return response
        case .retry(let message): failure = .answer(response, message, isTransient: true)
        case .fail(let message), .renew(let message):
          failure = .answer(response, message, isTransient: false)
        }
      } catch let error as WireFailure {
        failure = .wire(error)
      }
      if failure.isTransient {
        hosts.noteFailedTry(at: failure.answer?.url ?? request.url, failure.reason)
      }
      let isLast =
        !failure.isTransient || attempt >= policy.attempts
        || (heedsBreaker && !isTrial && hosts.isLeftAlone(request.url))
      if isLast {
        noteEnd(of: request, failure)
        throw error(for: failure, request, attempts: attempt)
      }
      try await pause(after: failure, request, attempt: attempt)
      metrics.update { $0.retries += 1 }
      attempt += 1
    }
  }

  /// One try, with credentials that are renewed as often as the authorizer allows.
  ///
  /// What was renewed is kept from all other requests until the one that needed it is answered: some
  /// services take a token only once.
  private func authorized(
    _ request: HTTPRequest, limited: Bool
  ) async throws -> (response: HTTPResponse, verdict: ResponseVerdict?) {
    // A recording needs no credentials, and answers a renewal with what comes next in it.
    let authorizer = waits ? request.authorizer : nil
    // Before a slot is taken: a login is a request itself and needs one.
    let given = try await alone(limited: limited && authorizer != nil) {
      try await authorizer?.credentials(for: request, using: unlimited) ?? []
    }
    let response = try await follow(request, given, limited: limited)
    let verdict = request.judge?(response)
    guard wantsRenewal(request, response, verdict) else { return (response, verdict) }
    return try await alone(limited: limited) {
      var (given, response, verdict) = (given, response, verdict)
      var renewals = 0
      var changes = 0
      while wantsRenewal(request, response, verdict),
        renewals < request.authorizer?.renewals ?? 0, changes < Self.maxChanges
      {
        let renewal =
          try await authorizer?.renew(after: response, refused: given, using: unlimited)
          ?? .renewed
        switch renewal {
        case .none: return (response, verdict)
        case .renewed: renewals += 1
        case .changed: changes += 1
        }
        given = try await authorizer?.credentials(for: request, using: unlimited) ?? []
        response = try await follow(request, given, limited: limited)
        verdict = request.judge?(response)
      }
      return (response, verdict)
    }
  }

  /// Runs `body` while no other request of the source gets or renews credentials; not for the requests
  /// of an authorizer, which are made while it does so.
  private func alone<R: Sendable>(
    limited: Bool, _ body: () async throws -> R
  ) async throws -> R {
    limited ? try await renewing.run(body) : try await body()
  }

  /// Whether a host that is down is left alone; a recording has its answers whatever came before.
  private var heedsBreaker: Bool { waits && policy.breaker > 0 }

  /// Tells whether the host failed or only refused this request.
  private func noteEnd(of request: HTTPRequest, _ failure: AttemptFailure) {
    guard heedsBreaker else { return }
    if failure.isOfHost {
      hosts.noteFailedRequest(at: request.url, threshold: policy.breaker)
    } else {
      hosts.noteAnswer(from: request.url)
    }
  }

  private func wantsRenewal(
    _ request: HTTPRequest, _ response: HTTPResponse, _ verdict: ResponseVerdict?
  ) -> Bool {
    switch verdict {
    case .accept, .fail: false
    case .renew: true
    case .retry, nil: request.authorizer?.refusals.contains(response.status) ?? false
    }
  }

  private func usualVerdict(_ response: HTTPResponse) -> ResponseVerdict {
    // One with a place to go to was followed.
    if Self.redirects.contains(response.status) {
      return .fail(message: "a redirect without a Location")
    }
    if response.status < 400 { return .accept }
    return policy.retryStatuses.contains(response.status)
      ? .retry(message: nil) : .fail(message: nil)
  }

  /// One try: the request and the redirects that it leads to.
  private func follow(
    _ request: HTTPRequest, _ given: [Credential], limited: Bool
  ) async throws -> HTTPResponse {
    var method = request.method
    var url = request.url
    var headers = request.headers
    var body = request.body
    var visited: Set<String> = []
    while true {
      var out = WireRequest(method, url, headers: headers, body: body, policy: policy)
      out.onStart = request.onStart
      let isAtHome = url.hasOrigin(of: request.url)
      if isAtHome {
        addCredentials(request.credentials + given, to: &out)
      } else {
        out.headers = CredentialPlacement.strippingBound(headers, redactor: redactor)
      }
      if !isAtHome || !request.showsCertificate {
        out.policy.tls = policy.tls.withoutClient
      }
      try checkHeaders(out, request)
      let answer = try await exchange(out, limited: limited)
      let response = HTTPResponse(
        status: answer.status, headers: answer.headers, body: answer.body, url: url,
        fetchedAt: answer.startedAt)
      guard Self.redirects.contains(answer.status),
        let location = response.header("Location")
      else { return response }
      guard let next = url.resolving(location) else {
        throw redirectError(request, "a redirect to “\(location)”, which is not an HTTP address")
      }
      if request.staysAtOrigin, !next.hasOrigin(of: request.url) {
        throw redirectError(request, "it leads to another host, \(next.host)")
      }
      visited.insert("\(method) \(url)")
      url = next
      let becomesGet =
        answer.status == 303 ? method != "HEAD" : answer.status <= 302 && method == "POST"
      if becomesGet && method != "GET" {
        method = "GET"
        body = nil
        headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
      }
      if visited.contains("\(method) \(url)") {
        throw redirectError(request, "the redirects lead in a circle, back to \(url)")
      }
      if visited.count > Self.maxRedirects {
        throw redirectError(request, "more than \(Self.maxRedirects) redirects, the last to \(url)")
      }
    }
  }

  private func addCredentials(_ credentials: [Credential], to out: inout WireRequest) {
    let new = registered.withLock { known in credentials.filter { known.insert($0).inserted } }
    CredentialPlacement.register(new, with: redactor)
    CredentialPlacement.apply(credentials, to: &out)
  }

  private func exchange(_ request: WireRequest, limited: Bool) async throws -> WireResponse {
    try await waitWhilePaused(request.url)
    let turn = limited && waits ? try limit?.reserve() : nil
    metrics.update { $0.requests += 1 }
    hosts.noteRequest(to: request.url)
    let start = ContinuousClock.now
    do {
      let answer = try await exchange(request, at: turn)
      metrics.update { $0.bytes += answer.bytesReceived }
      log.detail(
        redactor.redact(
          "\(request.method) \(request.shownURL) → \(answer.status), "
            + "\(ByteCount.text(answer.body.count)), \(WaitText.of((.now - start).seconds))"))
      return answer
    } catch let failure as WireFailure {
      log.detail(redactor.redact("\(request.method) \(request.shownURL) → \(failure.message)"))
      throw failure
    } catch var error as AggregateError {
      error.message = "\(request.method) \(request.shownURL): \(error.message)"
      throw error
    }
  }

  private func inSlot<R: Sendable>(_ body: () async throws -> R) async throws -> R {
    guard let ownSlots else { return try await slots.run(body) }
    return try await ownSlots.run { try await slots.run(body) }
  }

  // MARK: - Waiting

  /// Sends a request when its turn has come. A turn that is missed while all slots are taken may
  /// have to be waited for again, outside of the slot.
  private func exchange(_ request: WireRequest, at turn: RequestTurn?) async throws -> WireResponse
  {
    guard let turn else { return try await inSlot { try await wire.exchange(request) } }
    var wait = turn.wait
    while true {
      if wait > 0 {
        if wait >= 2 { tell("waiting \(WaitText.of(wait)), \(turn.reason)", wait) }
        do {
          try await sleep(wait)
        } catch {
          turn.giveBack()
          throw error
        }
      }
      let (answer, more) = try await inSlot { () -> (WireResponse?, Double) in
        let more = try turn.confirm()
        return more > 0 ? (nil, more) : (try await wire.exchange(request), 0)
      }
      if let answer { return answer }
      wait = more
    }
  }

  private func pause(
    after failure: AttemptFailure, _ request: HTTPRequest, attempt: Int
  ) async throws {
    guard waits else { return }
    let maxWait = policy.maxWait.seconds
    if case .answer(let response, _, _) = failure,
      let asked = WaitAdvice.asked(by: response, now: .now), asked > 0
    {
      if asked > maxWait {
        var error = error(for: failure, request, attempts: attempt)
        error.message +=
          "; \(response.url.host) asked to wait \(WaitText.of(asked)), longer than max_wait "
          + "(\(WaitText.of(maxWait)))"
        throw error
      }
      // A little more, so that the next try does not come a blink too early.
      let isNew = hosts.pause(response.url, seconds: asked + Double.random(in: 0.01...0.1))
      if isNew {
        log.note("\(source): waiting \(WaitText.of(asked)), \(response.url.host) asked")
      }
      return try await waitWhilePaused(response.url)
    }
    try await sleep(WaitAdvice.backoff(after: attempt, maxWait: maxWait))
  }

  /// Waits as long as a host asked any request of the run to.
  private func waitWhilePaused(_ url: WebURL) async throws {
    while true {
      let left = hosts.pauseLeft(url)
      if left <= 0 { return }
      if left > policy.maxWait.seconds + 1 {
        throw AggregateError(
          .unavailable,
          "\(url.authority) asked to wait \(WaitText.of(left)) more, longer than max_wait "
            + "(\(WaitText.of(policy.maxWait.seconds)))")
      }
      try await sleep(left)
    }
  }

  /// Tells of a wait, unless one that ends about then was told already.
  private func tell(_ message: String, _ seconds: Double) {
    let now = Instant.now.microseconds
    let end = Instant(microseconds: now + Int64(min(seconds, 1e9) * 1e6))
    let isNew = told.withLock { told in
      if let told, end.microseconds < told.microseconds + 1_000_000 { return false }
      told = end
      return true
    }
    if isNew { log.note("\(source): \(message)") }
  }

  private func sleep(_ seconds: Double) async throws {
    let start = ContinuousClock.now
    defer { metrics.update { $0.waited += (ContinuousClock.now - start).seconds } }
    try await Task.sleep(for: .seconds(min(seconds, 1e8)))
  }

  /// This client without its rate limit: what an authorizer logs in with.
  private var unlimited: any HTTPClient { Unlimited(transport: self) }

  private struct Unlimited: HTTPClient {
    let transport: HTTPTransport

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      try await transport.send(request, limited: false)
    }
  }
}
