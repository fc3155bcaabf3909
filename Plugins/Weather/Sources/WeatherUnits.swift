/// A system of units.
enum WeatherUnits: String, Sendable, CaseIterable {
  /// °C, m/s, mm, m.
  case metric
  /// °F, mph, inches, miles.
  case imperial
  /// K, m/s, mm, m.
  case standard

  /// The unit of a measure; nil for one that has none.
  func unit(of measure: Reading.Measure) -> String? {
    switch measure {
    case .temp, .tempMin, .tempMax, .feelsLike, .dewPoint:
      switch self {
      case .metric: "°C"
      case .imperial: "°F"
      case .standard: "K"
      }
    case .humidity, .clouds, .precipitationProbability: "%"
    case .pressure: "hPa"
    case .windSpeed, .windGust: self == .imperial ? "mph" : "m/s"
    case .windDirection: "°"
    case .precipitation, .snow: self == .imperial ? "in" : "mm"
    case .visibility: self == .imperial ? "mi" : "m"
    case .uvIndex: nil
    }
  }

  /// Whether values of a measure are other ones in this system than in the metric one.
  func changes(_ measure: Reading.Measure) -> Bool {
    unit(of: measure) != Self.metric.unit(of: measure)
  }

  /// A metric value in this system; what was computed, here or before, is rounded to two decimals.
  func convert(
    _ value: Double, _ measure: Reading.Measure, isComputed: Bool = false
  ) -> Double {
    guard changes(measure) else { return isComputed ? Self.rounded(value) : value }
    let converted =
      switch measure {
      case .windSpeed, .windGust: value / 0.44704
      case .precipitation, .snow: value / 25.4
      case .visibility: value / 1609.344
      default: self == .imperial ? value * 9 / 5 + 32 : value + 273.15
      }
    return Self.rounded(converted)
  }

  private static func rounded(_ value: Double) -> Double {
    // What is larger has no decimals, and a hundred times as much may be no number.
    abs(value) < 1e13 ? (value * 100).rounded() / 100 : value
  }
}
