import AggregateCore

/// A column that rows have when it is asked for.
enum ExtraColumn: String, CaseIterable, Sendable {
  case region, timezone, sunrise, sunset
  case dewPoint = "dew_point"
  case visibility
  case uvIndex = "uv_index"
  case precipitationProbability = "precipitation_probability"

  /// What is measured in it; nil when it is no measure.
  var measure: Reading.Measure? { Reading.Measure.allCases.first { $0.column == rawValue } }

  /// Whether it is of the sun, which is known by the day.
  var isOfSun: Bool { self == .sunrise || self == .sunset }

  /// The column, with the unit of a system.
  func spec(_ units: WeatherUnits) -> ColumnSpec {
    ColumnSpec(
      rawValue, isOfSun ? .instant : measure == nil ? .text : .number,
      unit: measure.flatMap(units.unit), description: about)
  }

  private var about: String {
    switch self {
    case .region: "State, province or the like, as the service calls it; with “extra”."
    case .timezone: "Time zone, such as Europe/London; open-meteo only; with “extra”."
    case .sunrise: "Sunrise of the date, UTC; with “extra”."
    case .sunset: "Sunset of the date, UTC; with “extra”."
    case .dewPoint: "Dew point; of a day, the mean; open-meteo only; with “extra”."
    case .visibility: "How far one sees; of a day, the mean; with “extra”."
    case .uvIndex: "UV index; of a day, the largest; open-meteo only; with “extra”."
    case .precipitationProbability:
      "Probability of rain or snow; of a day, the largest; with “extra”."
    }
  }

  /// Appends its value.
  func append(
    _ reading: Reading, of location: Location, in units: WeatherUnits, to rows: inout BatchBuilder
  ) {
    if let measure { return reading.append(measure, in: units, to: &rows) }
    switch self {
    case .region: rows.append(location.region)
    case .timezone: rows.append(reading.timezone)
    case .sunrise: rows.append(reading.sunrise)
    default: rows.append(reading.sunset)
    }
  }
}
