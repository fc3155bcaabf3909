internal import Synchronization

/// The services of a run that failed in a way that lasts: they are not asked again.
final class Outages: Sendable {
  private let failures = Mutex<[String: AggregateError]>([:])

  /// Why a host of a service is not asked again; nil when it may be asked.
  func failure(of service: String, at url: WebURL) -> AggregateError? {
    failures.withLock { $0[Self.key(service, url)] }
  }

  /// Notes a failure that lasts; the first one stays.
  ///
  /// - Returns: Whether none was known.
  func note(_ error: AggregateError, of service: String, at url: WebURL) -> Bool {
    failures.withLock { failures in
      if failures[Self.key(service, url)] != nil { return false }
      failures[Self.key(service, url)] = error
      return true
    }
  }

  private static func key(_ service: String, _ url: WebURL) -> String {
    "\(service) \(url.authority)"
  }

  /// Whether the next part would fail with it as well.
  ///
  /// - Parameter hasOther: Whether another service can be asked: then a host that is down is left alone
  ///   at once, and not tried again for every part.
  static func isLasting(_ error: AggregateError, hasOther: Bool) -> Bool {
    switch error.status {
    case 401, 403: true
    case 429: hasOther || isLastingLimit(error.message)
    case 502, 503, 504: hasOther
    case nil: hasOther && error.code == .unavailable
    default: false
    }
  }

  /// Whether a message says that a limit will not be over in a minute.
  static func isLastingLimit(_ message: String) -> Bool {
    let message = message.lowercased()
    return ["daily", "hourly", "monthly", "per day", "temporary blocked", "temporarily blocked"]
      .contains { message.contains($0) }
  }
}
