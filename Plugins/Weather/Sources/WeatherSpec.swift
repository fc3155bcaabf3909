public import AggregateCore

extension WeatherProvider {
  /// Name, options, columns, example and samples.
  public static let spec = ProviderSpec(
    "weather",
    "The weather at places: now, to come or past, from Open-Meteo or OpenWeatherMap.",
    options: [
      OptionSpec(
        "places", .list(of: .either([.text, .object(placeSpecs)]), orSingle: true), required: true,
        "Where: names, with a country, with a region and a country, postal codes, or coordinates.",
        example: "[London, \"Paris, TX, US\", { lat: 35.68, lon: 139.69, name: Tokyo }]"),
      OptionSpec(
        "mode", .choice(Mode.allCases.map(\.rawValue)), default: "current",
        "What: now, the forecast of the service, by the hour, or one row per local date."),
      OptionSpec("days", .int(1...16), "How many days of forecast.", example: "7"),
      OptionSpec(
        "past_days", .int(0...92), "How many days before today as well; open-meteo only.",
        example: "7"),
      OptionSpec(
        "start", Period.date, "First date of the past, for hourly and daily; open-meteo only.",
        example: "2024-03-01"),
      OptionSpec(
        "end", Period.date, "Last date of the past, included; that of “start” when not given.",
        example: "2024-03-31"),
      OptionSpec(
        "units", .choice(WeatherUnits.allCases.map(\.rawValue)), default: "metric",
        "°C and m/s, °F and mph, or K and m/s."),
      OptionSpec(
        "service", .list(of: .choice(["open-meteo", "openweathermap"]), orSingle: true),
        default: "open-meteo", "Which service is asked; of several, the first that answers."),
      OptionSpec(
        "api_key", .text, secret: true,
        "Key for openweathermap; without that service, of a subscription to open-meteo.",
        example: "${OPENWEATHERMAP_KEY}"),
      OptionSpec(
        "extra", .list(of: .choice(ExtraColumn.allCases.map(\.rawValue)), orSingle: true),
        "Further columns; what a service does not say is null.", example: "[region, sunrise]"),
      OptionSpec("base_urls", .object(baseSpecs), "Mirrors, proxies or test servers, by service."),
    ],
    columns: columns(.metric, ExtraColumn.allCases),
    discussion: """
      Both services give the same columns in the same units, so that their rows merge. Names are looked
      up by the service's own geocoding. `time` is UTC, `date` is the local date at the place. With
      openweathermap, `daily` summarizes the three-hourly forecast by local date: means of temperature,
      humidity, pressure and clouds, the largest wind, sums of precipitation, the description nearest to
      noon. `snow` is its water equivalent.

      Rows call a place as it is declared, with its region where one is given (`Springfield, IL`), so that
      the rows of both services are left once by `dedupe: { by: [place, country, date] }`. A place that is
      declared twice is read once, also under two names: what is looked up is the same when it is at most
      0.01° away, or 0.1° when it is called the same.

      A service states one offset from UTC per answer, that of the moment of the request: where clocks
      change within the forecast, days are cut by it all the same.

      A service whose key is refused, whose quota is used up or whose host is down is asked no more in the
      run while another one can be. An answer without rows has the next service asked, too.

      With `start`, and `end` for more than one day, Open-Meteo's archive gives the hours or days of the
      past, from 1940 to a few days ago.
      """,
    example: """
      weather:
        provider: weather
        places: [London, "Paris, FR", { lat: 35.68, lon: 139.69, name: Tokyo }]
        mode: daily
      """,
    samples: samples)

  static let placeSpecs = [
    OptionSpec("lat", .number, required: true, "Latitude, degrees north."),
    OptionSpec("lon", .number, required: true, "Longitude, degrees east."),
    OptionSpec("name", .text, "What the rows call the place."),
    OptionSpec("country", .text, "What the rows have as country."),
  ]

  static let baseSpecs = [
    OptionSpec(
      "open-meteo", .text, default: "https://api.open-meteo.com/v1", "Open-Meteo's forecasts."),
    OptionSpec(
      "archive", .text, default: "https://archive-api.open-meteo.com/v1",
      "Open-Meteo's past weather."),
    OptionSpec(
      "geocoding", .text, default: "https://geocoding-api.open-meteo.com/v1",
      "Open-Meteo's geocoding."),
    OptionSpec(
      "openweathermap", .text, default: "https://api.openweathermap.org", "OpenWeatherMap."),
  ]

  /// The columns, with the units of a system, and those that are asked for beside them.
  static func columns(_ units: WeatherUnits, _ extra: [ExtraColumn]) -> [ColumnSpec] {
    func measured(_ name: String, _ measure: Reading.Measure, _ description: String) -> ColumnSpec {
      ColumnSpec(name, .number, unit: units.unit(of: measure), description: description)
    }
    return [
      ColumnSpec("place", .text, description: "The place as it is declared, without its country."),
      ColumnSpec("country", .text, description: "Country code (ISO 3166-1 alpha-2)."),
      ColumnSpec("lat", .number, unit: "°", description: "Latitude."),
      ColumnSpec("lon", .number, unit: "°", description: "Longitude."),
      ColumnSpec(
        "time", .instant, description: "Point in time, UTC; of a day, its local midnight."),
      ColumnSpec("date", .date, description: "Local date."),
      measured("temp", .temp, "Temperature; of a day, the mean."),
      measured("temp_min", .tempMin, "Lowest temperature of the period."),
      measured("temp_max", .tempMax, "Highest temperature of the period."),
      measured("feels_like", .feelsLike, "Temperature as it feels."),
      measured("humidity", .humidity, "Relative humidity."),
      measured("pressure", .pressure, "Air pressure at sea level."),
      measured("wind_speed", .windSpeed, "Wind speed; of a day, the largest."),
      measured("wind_gust", .windGust, "Gusts; of a day, the largest."),
      measured(
        "wind_direction", .windDirection, "Where the wind comes from, clockwise from north."),
      measured("clouds", .clouds, "Cloud cover."),
      measured("precipitation", .precipitation, "Rain and snow of the period."),
      measured("snow", .snow, "Snow of the period, as water."),
      ColumnSpec("condition", .text, description: "Group of the weather, such as Rain."),
      ColumnSpec("description", .text, description: "The weather in some words."),
      ColumnSpec("service", .text, description: "The service that answered."),
    ] + extra.map { $0.spec(units) }
  }
}
