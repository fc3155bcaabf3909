import AggregateCore

/// From readings to rows, in the units asked for.
struct WeatherMapper: RowMapper {
  /// What the rows of one place need beside the readings.
  struct Origin: Sendable {
    let location: Location
    let service: String
  }

  let schema: Schema
  private let units: WeatherUnits

  init(units: WeatherUnits) {
    self.units = units
    schema = Schema(WeatherProvider.columns(units))
  }

  func map(_ readings: [Reading], of origin: Origin, into rows: inout BatchBuilder) throws {
    for reading in readings {
      rows.append(origin.location.name)
      rows.append(origin.location.country)
      rows.append(origin.location.latitude)
      rows.append(origin.location.longitude)
      rows.append(reading.time)
      rows.append(reading.date)
      for measure in Reading.Measure.allCases {
        rows.append(
          reading[measure].map {
            units.convert($0, measure, isComputed: reading.isComputed(measure))
          })
      }
      rows.append(reading.condition)
      rows.append(reading.description)
      rows.append(origin.service)
      rows.endRow()
    }
  }
}

/// A system of units.
enum WeatherUnits: String, Sendable, CaseIterable {
  /// °C, m/s, mm.
  case metric
  /// °F, mph, inches.
  case imperial
  /// K, m/s, mm.
  case standard

  /// The unit of a measure; nil for one that has none.
  func unit(of measure: Reading.Measure) -> String {
    switch measure {
    case .temp, .tempMin, .tempMax, .feelsLike:
      switch self {
      case .metric: "°C"
      case .imperial: "°F"
      case .standard: "K"
      }
    case .humidity, .clouds: "%"
    case .pressure: "hPa"
    case .windSpeed, .windGust: self == .imperial ? "mph" : "m/s"
    case .windDirection: "°"
    case .precipitation, .snow: self == .imperial ? "in" : "mm"
    }
  }

  /// A metric value in this system; what was computed, here or before, is rounded to two decimals.
  func convert(
    _ value: Double, _ measure: Reading.Measure, isComputed: Bool = false
  ) -> Double {
    let converted: Double
    switch (measure, self) {
    case (.temp, .imperial), (.tempMin, .imperial), (.tempMax, .imperial), (.feelsLike, .imperial):
      converted = value * 9 / 5 + 32
    case (.temp, .standard), (.tempMin, .standard), (.tempMax, .standard), (.feelsLike, .standard):
      converted = value + 273.15
    case (.windSpeed, .imperial), (.windGust, .imperial): converted = value / 0.44704
    case (.precipitation, .imperial), (.snow, .imperial): converted = value / 25.4
    default:
      guard isComputed else { return value }
      converted = value
    }
    return (converted * 100).rounded() / 100
  }
}
