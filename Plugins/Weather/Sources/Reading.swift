import AggregateCore
import AggregateJSON

/// One observation or forecast, whichever service it came from, in metric units.
struct Reading: Sendable {
  /// What is measured, apart from place and time.
  enum Measure: Int, CaseIterable, Sendable {
    case temp, tempMin, tempMax, feelsLike, humidity, pressure, windSpeed, windGust, windDirection
    case clouds, precipitation, snow

    /// The column that it is in.
    var column: String {
      switch self {
      case .temp: "temp"
      case .tempMin: "temp_min"
      case .tempMax: "temp_max"
      case .feelsLike: "feels_like"
      case .humidity: "humidity"
      case .pressure: "pressure"
      case .windSpeed: "wind_speed"
      case .windGust: "wind_gust"
      case .windDirection: "wind_direction"
      case .clouds: "clouds"
      case .precipitation: "precipitation"
      case .snow: "snow"
      }
    }
  }

  /// The point in time; for a day, its local midnight.
  var time: Instant?
  /// The local date.
  var date: CalendarDate?
  /// Seconds by which the local clock is ahead of UTC.
  var utcOffset: Int64 = 0
  /// °C, %, hPa, m/s, degrees, mm; nil where the service said nothing.
  private var values = [Double?](repeating: nil, count: Measure.allCases.count)
  // Which of them were computed, as bits: those are rounded when they are shown, and not before.
  private var computed: UInt32 = 0
  /// The group of the weather, such as `Rain`.
  var condition: String?
  /// The weather in some words.
  var description: String?
  /// What the service sent where a number was expected, and what is wrong with it.
  private(set) var unreadable: [(measure: Measure, kind: String, text: String)] = []

  /// The largest offset of a local clock that is believed, in seconds.
  private static let maximumOffset: Int64 = 86_400

  /// An offset as a service states it; 0 when it is none.
  static func offset(_ seconds: Int64?) -> Int64 {
    guard let seconds, abs(max(seconds, -.max)) <= maximumOffset else { return 0 }
    return seconds
  }

  /// Sets the time to `seconds` of the epoch, and the date to that of a clock that is `offset` ahead.
  mutating func setTime(epoch seconds: Int64, offset: Int64) {
    utcOffset = offset
    time = Instant(seconds: seconds)
    let (local, overflow) = seconds.addingReportingOverflow(offset)
    date = overflow ? nil : Instant(seconds: local)?.date
  }

  /// Reads a measure: a number, or a text that is one. Anything else but null is noted.
  mutating func read(
    _ measure: Measure, _ node: JSONNode?, _ convert: (Double) -> Double = { $0 }
  ) {
    guard let node, !node.isNull else { return }
    if let value = node.double ?? node.string.flatMap({ Double($0) }), value.isFinite {
      let converted = convert(value)
      self[measure] = converted
      if converted != value { computed |= 1 << measure.rawValue }
    } else {
      note(measure, "is not a number", String(node.rawText.prefix(60)))
    }
  }

  /// Notes what was lost of a measure.
  mutating func note(_ measure: Measure, _ kind: String, _ text: String) {
    unreadable.append((measure, kind, text))
  }

  /// The value of a measure; setting it says that it is as the service sent it.
  subscript(measure: Measure) -> Double? {
    get { values[measure.rawValue] }
    set { values[measure.rawValue] = newValue }
  }

  /// Sets a value that was worked out from others, and so may have any number of decimals.
  mutating func compute(_ measure: Measure, _ value: Double?) {
    values[measure.rawValue] = value
    computed |= 1 << measure.rawValue
  }

  /// Whether the value is not as the service sent it.
  func isComputed(_ measure: Measure) -> Bool { computed & (1 << measure.rawValue) != 0 }
}

/// What is asked for.
enum Mode: String, Sendable, CaseIterable {
  case current, forecast, hourly, daily
}
