/// Leaves a host alone that failed request after request, and lets one request try it again after a while.
///
/// Closed until `threshold` requests in a row have failed, then open for ``rest``; the first request
/// after that is a trial: it closes the breaker, or opens it for another rest.
struct CircuitBreaker {
  /// Whether a request may be sent.
  enum Admission: Equatable {
    case sent
    case trial
    /// Not before so many seconds have passed; 0 while a trial is under way.
    case refused(seconds: Double)
  }

  /// How long a host is left alone.
  static let rest = Duration.seconds(30)

  /// How many requests in a row failed.
  private(set) var failures = 0
  private var openUntil: ContinuousClock.Instant?
  private var hasTrial = false

  /// Whether requests are refused at `now`.
  func isOpen(at now: ContinuousClock.Instant) -> Bool {
    openUntil.map { now < $0 || hasTrial } ?? false
  }

  /// Asks for leave to send a request.
  mutating func admit(at now: ContinuousClock.Instant) -> Admission {
    guard let openUntil else { return .sent }
    if now < openUntil { return .refused(seconds: (openUntil - now).seconds) }
    if hasTrial { return .refused(seconds: 0) }
    hasTrial = true
    return .trial
  }

  /// Notes that the host answered.
  mutating func succeed() { self = CircuitBreaker() }

  /// Notes that a request failed after all its tries.
  mutating func fail(at now: ContinuousClock.Instant, threshold: Int) {
    failures += 1
    if hasTrial || failures >= threshold { openUntil = now + Self.rest }
    hasTrial = false
  }

  /// Notes that the trial ended without a verdict, such as by being cancelled: the next may try.
  mutating func abandonTrial() { hasTrial = false }
}
