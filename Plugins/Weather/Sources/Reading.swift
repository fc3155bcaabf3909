import AggregateCore
import AggregateJSON

/// One observation or forecast, whichever service it came from, in metric units.
struct Reading: Sendable {
  /// What could not be read, and so is null in a column.
  struct Loss: Sendable, Hashable {
    let column: String
    let kind: String
    let text: String
  }

  /// The point in time; for a day, its local midnight.
  private(set) var time: Instant?
  /// The local date.
  private(set) var date: CalendarDate?
  /// Seconds by which the local clock is ahead of UTC.
  private(set) var utcOffset: Int64 = 0
  /// °C, %, hPa, m/s, degrees, mm, m; nil where the service said nothing.
  private var values = [Double?](repeating: nil, count: Measure.allCases.count)
  /// Their digits, of those that are as the service sent them.
  private var texts = [String?](repeating: nil, count: Measure.allCases.count)
  // Which of them were computed, as bits: those are rounded when they are shown, and not before.
  private var computed: UInt32 = 0
  /// The group of the weather, such as `Rain`.
  var condition: String?
  /// The weather in some words.
  var description: String?
  /// The time zone of the place, such as `Europe/London`.
  var timezone: String?
  /// When the sun rises on the date.
  var sunrise: Instant?
  /// When the sun sets on the date.
  var sunset: Instant?
  /// What the service sent and nobody can read.
  private(set) var losses: [Loss] = []

  /// The largest offset of a local clock that is believed, in seconds: none was ever further from UTC.
  private static let maximumOffset: Int64 = 16 * 3600
  /// The seconds of the years that a date can be written in.
  private static let seconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// An offset from UTC as a service states it, in seconds; 0 when it states none.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when no clock has it, for all times would be wrong.
  static func offset(_ node: JSONNode?, _ name: String, of service: String) throws -> Int64 {
    guard let node, !node.isNull else { return 0 }
    if let seconds = node.wholeNumber, (-maximumOffset...maximumOffset).contains(seconds) {
      return seconds
    }
    throw AggregateError(
      .badData, "\(service)'s “\(name)” is \(node.excerpt), which is no offset from UTC in seconds",
      hint: "is the address in “base_urls” one of \(service)?")
  }

  /// Sets the time to `seconds` of the epoch, and the date to that of a clock that is `offset` ahead.
  ///
  /// - Returns: Whether there is such a time.
  @discardableResult
  mutating func setTime(epoch seconds: Int64, offset: Int64) -> Bool {
    utcOffset = offset
    guard Self.seconds.contains(seconds), Self.seconds.contains(seconds + offset) else {
      return false
    }
    time = Instant(seconds: seconds)
    date = Instant(seconds: seconds + offset)?.date
    return true
  }

  /// Sets the time to a date and a time of day on a clock that is `offset` ahead of UTC.
  mutating func setTime(_ date: CalendarDate, microsecondsOfDay: Int64?, offset: Int64) {
    utcOffset = offset
    self.date = date
    time = microsecondsOfDay.map {
      Instant(date, microsecondsOfDay: $0 - offset * 1_000_000)
    }
  }

  /// Reads a measure: a number, or a text that is one. Anything else but null is noted.
  ///
  /// - Parameter convert: The value in the unit of the measure; nil when its unit is not known.
  mutating func read(
    _ measure: Measure, _ node: JSONNode?, unit: String? = nil,
    _ convert: (Double) -> Double? = { $0 }
  ) {
    guard let node, !node.isNull else { return }
    guard let text = node.anyNumberText, let value = Double(text), value.isFinite else {
      return lose(measure.column, "is not a number", node.excerpt)
    }
    guard let converted = convert(value) else {
      return lose(measure.column, "is in a unit that is not known", "\(text) \(unit ?? "")")
    }
    guard converted.isFinite else { return lose(measure.column, "is too large", text) }
    values[measure.rawValue] = converted
    if converted == value {
      texts[measure.rawValue] = text
    } else {
      computed |= 1 << measure.rawValue
    }
  }

  /// Reads a text; what is none, and not null, is noted.
  mutating func readText(_ column: String, _ node: JSONNode?) -> String? {
    guard let node, !node.isNull else { return nil }
    if node.string == nil { lose(column, "is not a text", node.excerpt) }
    return node.string
  }

  /// Notes what was lost of a column.
  mutating func lose(_ column: String, _ kind: String, _ text: String) {
    losses.append(Loss(column: column, kind: kind, text: text))
  }

  /// The value of a measure.
  subscript(measure: Measure) -> Double? { values[measure.rawValue] }

  /// Sets a value that was worked out from others, and so may have any number of decimals.
  mutating func compute(_ measure: Measure, _ value: Double) {
    guard value.isFinite else { return lose(measure.column, "is too large", "a sum of others") }
    values[measure.rawValue] = value
    texts[measure.rawValue] = nil
    computed |= 1 << measure.rawValue
  }

  /// Takes over a value as it is, digits and all.
  mutating func take(_ measure: Measure, from other: Measure, of reading: Reading) {
    values[measure.rawValue] = reading.values[other.rawValue]
    texts[measure.rawValue] = reading.texts[other.rawValue]
    computed &= ~(1 << measure.rawValue)
    if reading.computed & (1 << other.rawValue) != 0 { computed |= 1 << measure.rawValue }
  }

  /// Appends the value of a measure in a system of units: as it was sent, unless it had to be worked out.
  func append(_ measure: Measure, in units: WeatherUnits, to rows: inout BatchBuilder) {
    guard let value = values[measure.rawValue] else { return rows.appendNull() }
    if !units.changes(measure), let text = texts[measure.rawValue] {
      return rows.append(number: text)
    }
    let isComputed = computed & (1 << measure.rawValue) != 0
    rows.append(units.convert(value, measure, isComputed: isComputed))
  }

  /// Notes the values that there are no numbers for in a system of units.
  mutating func noteOverflows(in units: WeatherUnits) {
    for measure in Measure.allCases where units.changes(measure) {
      guard let value = values[measure.rawValue], !units.convert(value, measure).isFinite else {
        continue
      }
      lose(measure.column, "is too large", texts[measure.rawValue] ?? NumberText.shortest(value))
    }
  }
}

/// What is asked for.
enum Mode: String, Sendable, CaseIterable {
  case current, forecast, hourly, daily
}

extension JSONNode {
  /// Its text on one line, cut where it is long, for messages.
  var excerpt: String {
    let text = rawText.prefix(400).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return text.count > 80 ? "\(text.prefix(80))…" : text
  }

  /// The digits of a number, or of a text that is one.
  var anyNumberText: String? {
    if let text = numberText { return text }
    guard let text = string, NumberText.kind(text) != nil else { return nil }
    return text
  }

  /// The value of a whole number, or of a text that is one.
  var wholeNumber: Int64? {
    if let value = int64 { return value }
    return anyNumberText.flatMap { Int64($0) }
  }
}
