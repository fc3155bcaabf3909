extension Reading {
  /// What is measured, apart from place and time, in the order of the columns.
  enum Measure: Int, CaseIterable, Sendable {
    case temp, tempMin, tempMax, feelsLike, humidity, pressure, windSpeed, windGust, windDirection
    case clouds, precipitation, snow
    // Those of the columns that are given when they are asked for.
    case dewPoint, visibility, uvIndex, precipitationProbability

    /// Those that every row has.
    static let usual = allCases.filter { $0.rawValue <= snow.rawValue }

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
      case .dewPoint: "dew_point"
      case .visibility: "visibility"
      case .uvIndex: "uv_index"
      case .precipitationProbability: "precipitation_probability"
      }
    }
  }
}
