import AggregateCore

/// The variables of Open-Meteo: what is asked for, and the names that older answers have for them.
enum OpenMeteoVariables {
  /// A measure, and its names, that of today first.
  typealias Variable = (measure: Reading.Measure, names: [String])

  /// Of an hour, and of now.
  static let hourly: [Variable] = [
    (.temp, ["temperature_2m", "temperature"]),
    (.feelsLike, ["apparent_temperature"]),
    (.humidity, ["relative_humidity_2m", "relativehumidity_2m", "relative_humidity"]),
    (.pressure, ["pressure_msl", "surface_pressure"]),
    (.windSpeed, ["wind_speed_10m", "windspeed_10m", "windspeed"]),
    (.windGust, ["wind_gusts_10m", "windgusts_10m"]),
    (.windDirection, ["wind_direction_10m", "winddirection_10m", "winddirection"]),
    (.clouds, ["cloud_cover", "cloudcover"]),
    (.precipitation, ["precipitation", "rain"]),
    (.snow, ["snowfall"]),
    (.dewPoint, ["dew_point_2m", "dewpoint_2m"]),
    (.visibility, ["visibility"]),
    (.uvIndex, ["uv_index"]),
    (.precipitationProbability, ["precipitation_probability"]),
  ]

  /// Of a day.
  static let daily: [Variable] = [
    (.temp, ["temperature_2m_mean"]),
    (.tempMin, ["temperature_2m_min"]),
    (.tempMax, ["temperature_2m_max"]),
    (.feelsLike, ["apparent_temperature_mean"]),
    (.humidity, ["relative_humidity_2m_mean"]),
    (.pressure, ["pressure_msl_mean"]),
    (.windSpeed, ["wind_speed_10m_max", "windspeed_10m_max"]),
    (.windGust, ["wind_gusts_10m_max", "windgusts_10m_max"]),
    (.windDirection, ["wind_direction_10m_dominant", "winddirection_10m_dominant"]),
    (.clouds, ["cloud_cover_mean", "cloudcover_mean"]),
    (.precipitation, ["precipitation_sum", "rain_sum"]),
    (.snow, ["snowfall_sum"]),
    (.dewPoint, ["dew_point_2m_mean", "dewpoint_2m_mean"]),
    (.visibility, ["visibility_mean"]),
    (.uvIndex, ["uv_index_max"]),
    (.precipitationProbability, ["precipitation_probability_max"]),
  ]

  /// The names of the weather code.
  static let codes = ["weather_code", "weathercode"]

  /// The names to ask for: those of every row, and those of further columns.
  static func asked(_ wanted: Wanted) -> [String] {
    let variables = wanted.mode == .daily ? daily : hourly
    var names = variables.filter { Reading.Measure.usual.contains($0.measure) }.map { $0.names[0] }
    names.append(codes[0])
    names += wanted.extra.compactMap { column in
      // The past has no forecasts, and nobody measured these.
      if case .past = wanted.period, column != .dewPoint { return nil }
      return variables.first { $0.measure == column.measure }?.names[0]
    }
    return names
  }

  /// A value in metric units, by the unit that the answer states; nil when that is not known.
  static func metric(_ value: Double, _ measure: Reading.Measure, _ unit: String?) -> Double? {
    if measure == .snow { return snow(value, unit) }
    guard let unit, !["", "undefined"].contains(unit) else { return value }
    guard let metric = WeatherUnits.metric.unit(of: measure) else { return nil }
    let stated = spellings[unit] ?? unit
    return stated == metric ? value : UnitConversion(from: stated, to: metric)?(value)
  }

  /// How the service writes some units.
  private static let spellings = ["ms": "m/s", "kmh": "km/h", "mp/h": "mph", "inch": "in"]

  /// The water of snow. It is stated by its depth, in centimetres unless another unit is: seven
  /// centimetres of snow are ten millimetres of water, by the service's own rule.
  private static func snow(_ value: Double, _ unit: String?) -> Double? {
    switch unit {
    case nil, "", "undefined", "cm": value / 0.7
    case "inch": value * 2.54 / 0.7
    case "m": value * 100 / 0.7
    case "mm": value
    default: nil
    }
  }
}
