#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Instant {
  /// The present time, by the system clock.
  public static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// The instant as `Retry-After`, `Expires` and `Last-Modified` write it; nil when it is not one.
  ///
  /// All three forms of RFC 9110, section 5.6.7, are understood.
  public init?(httpDate text: String) {
    let words = text.split { " ,-".contains($0) }.map(String.init)
    // `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`
    guard words.count >= 5 else { return nil }
    let isASCTime = Int(words[1]) == nil
    let day = Int(words[isASCTime ? 2 : 1])
    let month = TimeNames.month(words[isASCTime ? 1 : 2])
    let clock = words[isASCTime ? 3 : 4].split(separator: ":").compactMap { Int($0) }
    guard let day, let month, var year = Int(words[isASCTime ? 4 : 3]), clock.count == 3,
      (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    if words[isASCTime ? 4 : 3].count == 2 { year = TimeGrammar.fullYear(year, pivot: 70) }
    guard let date = CalendarDate(year: year, month: month, day: day) else { return nil }
    let seconds = clock[0] * 3600 + clock[1] * 60 + clock[2]
    self.init(date, microsecondsOfDay: Int64(seconds) * 1_000_000)
  }
}
