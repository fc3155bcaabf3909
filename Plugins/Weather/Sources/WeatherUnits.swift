import AggregateCore

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
    guard let metric = Self.metric.unit(of: measure), let unit = unit(of: measure), metric != unit,
      let conversion = UnitConversion(from: metric, to: unit)
    else { return isComputed ? Self.rounded(value) : value }
    return Self.rounded(conversion(value))
  }

  private static func rounded(_ value: Double) -> Double {
    // What is larger has no decimals, and a hundred times as much may be no number.
    abs(value) < 1e13 ? (value * 100).rounded() / 100 : value
  }
}
