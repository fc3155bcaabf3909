internal import AggregateCore

/// How long to wait before the next try: what the server asked for, or else a random time.
enum WaitAdvice {
  /// The first step of the exponential backoff, in seconds.
  static let base = 0.25

  /// The seconds that an answer asks to wait for; nil when it does not.
  ///
  /// `Retry-After` decides, as it is said for this request. The fields about rate limits stand in
  /// every answer of many services, so only limits that are used up count.
  static func asked(by response: HTTPResponse, now: Instant) -> Double? {
    if let wait = longest(response, "retry-after", now) { return wait }
    for name in ["retry-after-ms", "x-ms-retry-after-ms"] {
      if let wait = longest(response, name, now) { return wait / 1000 }
    }
    return RateLimitFields.wait(response, now)
  }

  private static func longest(_ response: HTTPResponse, _ name: String, _ now: Instant) -> Double? {
    response.headers.filter { $0.isNamed(name) }
      .compactMap { WaitTime.seconds($0.value, now) }.max()
  }

  /// Exponential backoff with full jitter: anything from zero to a bound that doubles per try.
  ///
  /// - Parameter attempt: The number of the try that failed, from 1.
  static func backoff(after attempt: Int, maxWait: Double) -> Double {
    let bound = base * Double(1 << min(attempt - 1, 20))
    return Double.random(in: 0...min(bound, maxWait))
  }
}
