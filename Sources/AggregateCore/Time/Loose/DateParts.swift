/// A date, a time of day and an offset, on their way to an instant.
struct DateParts {
  var year = 0
  var month = 1
  var day = 1
  /// The time of day, in microseconds.
  var clock: Int64 = 0
  /// Seconds east of UTC.
  var offset = 0
  /// The zone, when it has a name whose offset depends on the date.
  var zone: TimeZoneRules?

  private static let hourLength: Int64 = 3_600_000_000

  /// The hour of the time of day.
  var hour: Int {
    get { Int(clock / Self.hourLength) }
    set { clock = clock % Self.hourLength + Int64(newValue) * Self.hourLength }
  }

  /// The instant; nil when a part is out of range.
  var instant: Instant? {
    // A leap second may begin with the next day.
    guard let date = CalendarDate(year: year, month: month, day: day), (1...9999).contains(year),
      clock < TimeGrammar.microsecondsPerDay + 1_000_000, abs(offset) <= 18 * 3600
    else { return nil }
    if let zone { return zone.instant(date, microsecondsOfDay: clock) }
    return Instant(date, microsecondsOfDay: clock - Int64(offset) * 1_000_000)
  }

  /// The year meant by two digits.
  static func century(_ year: Int) -> Int { TimeGrammar.fullYear(year, pivot: 70) }

  /// Reads `h:m`, `h:m:s` and `h:m:s.f`, the whole of `text`.
  mutating func readTime(_ text: Substring) -> Bool {
    guard
      let found = Self.whole(text, { TimeGrammar.clock($0, &$1, isLoose: true) })
    else { return false }
    clock = found
    return true
  }

  /// Reads the name of a place, such as `Europe/Berlin`, into ``zone``.
  mutating func readZone(_ text: Substring) -> Bool {
    guard text.contains("/"), let found = TimeZoneRules.named(String(text)) else { return false }
    zone = found
    return true
  }

  /// `10.00` and `10.00.00` with colons; anything else as it is.
  static func withColons(_ clock: Substring) -> Substring {
    let pieces = clock.split(separator: ".", omittingEmptySubsequences: false)
    guard (2...3).contains(pieces.count), pieces[0].utf8.count <= 2,
      pieces.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
      pieces.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(NumberText.isDigit) })
    else { return clock }
    return pieces.joined(separator: ":")[...]
  }

  /// Reads `+hh:mm`, `-hhmm`, `+hh` and `Z` into ``offset``.
  mutating func readOffset(_ text: Substring) -> Bool {
    guard let found = Self.whole(text, { TimeGrammar.looseOffset($0, &$1) }) else { return false }
    offset = found
    return true
  }

  /// What `read` finds, when it takes all of `text`.
  private static func whole<R>(
    _ text: Substring, _ read: (UnsafeRawBufferPointer, inout Int) -> R?
  ) -> R? {
    var text = text
    return text.withUTF8 { utf8 in
      var cursor = 0
      let found = read(UnsafeRawBufferPointer(utf8), &cursor)
      return cursor == utf8.count ? found : nil
    }
  }
}
