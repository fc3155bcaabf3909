internal import AggregateCore

/// How long to wait before the next try: what the server asked for, or else a random time.
enum WaitAdvice {
  /// The first step of the exponential backoff, in seconds.
  static let base = 0.25

  /// The seconds that an answer asks to wait for; nil when it does not.
  static func asked(by response: HTTPResponse, now: Instant) -> Double? {
    if let text = response.header("Retry-After")?.trimmed {
      if let seconds = Double(text), seconds.isFinite { return max(0, seconds) }
      if let date = Instant(httpDate: text) { return until(date, now) }
    }
    for name in ["RateLimit-Reset", "X-RateLimit-Reset"] {
      guard let text = response.header(name), let value = Double(text.trimmed), value.isFinite
      else { continue }
      // Some count seconds from now, some from 1970, in seconds or milliseconds.
      switch value {
      case ..<0: return 0
      case ..<1e9: return value
      case ..<1e11: return max(0, value - Double(now.microseconds) / 1e6)
      default: return max(0, (value / 1000) - Double(now.microseconds) / 1e6)
      }
    }
    // `RateLimit: "default";r=0;t=30`, the form of the later drafts.
    if let fields = response.header("RateLimit")?.split(whereSeparator: { ";,".contains($0) }) {
      for field in fields.map(\.trimmed) where field.hasPrefix("t=") || field.hasPrefix("reset=") {
        let value = field[(field.firstIndex(of: "=") ?? field.startIndex)...].dropFirst()
        if let seconds = Double(value), seconds.isFinite { return max(0, seconds) }
      }
    }
    return nil
  }

  /// Exponential backoff with full jitter: anything from zero to a bound that doubles per try.
  ///
  /// - Parameter attempt: The number of the try that failed, from 1.
  static func backoff(after attempt: Int, maxWait: Double) -> Double {
    let bound = base * Double(1 << min(attempt - 1, 20))
    return Double.random(in: 0...min(bound, maxWait))
  }

  private static func until(_ date: Instant, _ now: Instant) -> Double {
    max(0, Double(date.microseconds - now.microseconds) / 1e6)
  }
}
