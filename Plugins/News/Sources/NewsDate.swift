internal import AggregateCore
internal import AggregateFeeds

/// A date or time of the options `from` and `to`.
struct NewsDate {
  /// What is sent to NewsAPI, which reads ISO 8601 in UTC.
  let sent: String
  /// The first and the last moment that it may mean.
  let moments: ClosedRange<Instant>

  private static let day: Int64 = 86_400_000_000

  /// Reads a date in any form that feeds have, or how long ago it is: `-7d`; nil when it is none.
  ///
  /// Days and weeks ago mean a day, so that a query stays the same until midnight; hours mean a minute.
  init?(_ text: String, now: Instant) {
    if text.hasPrefix("-") {
      guard let ago = Quantities.duration(String(text.dropFirst())) else { return nil }
      let past = Instant(
        microseconds: now.microseconds - Int64(ago / Duration.microseconds(1)))
      if text.hasSuffix("d") || text.hasSuffix("w") {
        self.init(day: past.date)
      } else {
        self.init(
          moment: Instant(
            past.date, microsecondsOfDay: past.microsecondsOfDay / 60_000_000 * 60_000_000))
      }
    } else if let date = CalendarDate(iso8601: text) {
      self.init(day: date)
    } else if let moment = FeedDate.parse(text) {
      // A time of day has a colon, even midnight.
      if text.contains(":") || moment.microsecondsOfDay != 0 {
        self.init(moment: moment)
      } else {
        self.init(day: moment.date)
      }
    } else {
      return nil
    }
  }

  private init(day: CalendarDate) {
    sent = day.iso8601
    let start = Instant(day)
    moments = start...Instant(microseconds: start.microseconds + Self.day - 1)
  }

  private init(moment: Instant) {
    sent = String(moment.iso8601.dropLast())
    moments = moment...moment
  }
}
