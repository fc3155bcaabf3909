internal import AggregateCore

/// How long an answer is fresh and how old it was when it came, by RFC 9111, section 4.2.
///
/// A private cache: `s-maxage` and `proxy-revalidate` are for others. Nothing is guessed.
struct CacheFreshness {
  /// How long it is fresh by its own words, in seconds; nil when it does not say.
  let lifetime: Double?
  /// Its age when it was asked for, in seconds (section 4.2.3).
  ///
  /// The time that the answer took is part of the age from then on: it is counted from the request.
  let initialAge: Double

  /// - Parameter control: What `headers` say of caching, when it is known.
  init(_ headers: [HTTPField], control: CacheControl? = nil, askedAt: Instant) {
    let date = Self.first("date", headers).flatMap(Self.date)
    initialAge = Self.initialAge(headers, date, askedAt)
    let control = control ?? CacheControl(headers)
    if control.isNeverFresh {
      lifetime = 0
    } else if let age = control.seconds("max-age") {
      lifetime = age
    } else if let text = Self.first("expires", headers) {
      // An invalid date, `0` above all, means that it has expired.
      lifetime = Self.date(text).map { max(0, Self.seconds(from: date ?? askedAt, to: $0)) } ?? 0
    } else {
      lifetime = nil
    }
  }

  /// Until when it is fresh; `askedAt` when it never is.
  func end(askedAt: Instant) -> Instant {
    askedAt.later(by: max(0, (lifetime ?? 0) - initialAge))
  }

  /// The seconds between two instants.
  static func seconds(from start: Instant, to end: Instant) -> Double {
    (Double(end.microseconds) - Double(start.microseconds)) / 1e6
  }

  private static func initialAge(
    _ headers: [HTTPField], _ date: Instant?, _ askedAt: Instant
  ) -> Double {
    // Of several values the first counts; one that is no number is ignored (section 5.1).
    let told =
      first("age", headers)?.split(separator: ",").first.flatMap {
        CacheControl.seconds(of: $0.trimmed)
      } ?? 0
    let apparent = date.map { seconds(from: $0, to: askedAt) } ?? 0
    // Dates are whole seconds.
    return max(told, apparent < 1 ? 0 : apparent)
  }

  private static func first(_ name: String, _ headers: [HTTPField]) -> String? {
    headers.first { $0.isNamed(name) }?.value
  }

  /// A date of one of the three forms; those with a zone are only valid with the zone GMT.
  private static func date(_ text: String) -> Instant? {
    let text = text.trimmed
    guard !text.contains(",") || text.lowercased().hasSuffix(" gmt") else { return nil }
    return Instant(httpDate: text)
  }
}

extension Instant {
  /// The instant some seconds later, 300 years at most.
  func later(by seconds: Double) -> Instant {
    Instant(microseconds: microseconds + Int64(min(max(seconds, 0), 1e10) * 1e6))
  }
}
