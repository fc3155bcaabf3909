import AggregateCore
import AggregateJSON
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateWeather

/// Real answers of Open-Meteo, read once more by another path.
@Suite(.corpus("openmeteo"))
struct OpenMeteoCorpusTests {
  /// What an answer is.
  enum Kind: Equatable {
    case weather
    case places
    /// Refused, with these words.
    case refused(String)
  }

  /// What every file is, by the beginning of its path.
  private static let table: [(path: String, kind: Kind)] = [
    ("forecast/", .weather), ("archive/", .weather), ("httptest/api/", .weather),
    ("httptest/archive-api/", .weather), ("httptest/climate-api/", .weather),
    // Lists that became objects on their way, and several models at once, which is never asked for.
    ("mirror/", .refused("open-meteo's ")), ("forecast/theluck_160k", .refused("open-meteo's ")),
    ("mocks/weather_response", .weather),
    ("geocoding/", .places), ("httptest/geocoding-api/", .places),
    ("mocks/location_response", .places),
    ("errors/", .refused("open-meteo refused: ")),
    ("httptest/air-quality-api/", .refused("open-meteo's ")),
    ("httptest/flood-api/", .refused("open-meteo's ")),
    ("mocks/air_quality_response", .refused("open-meteo's ")),
  ]

  private static func kind(_ answer: SharedCorpus.Answer) -> Kind? {
    table.filter { answer.path.hasPrefix($0.path) }.max { $0.path.utf8.count < $1.path.utf8.count }?
      .kind
  }

  private static let answers = SharedCorpus.answers("openmeteo")

  @Test func everyFileIsInTheTable() {
    #expect(Self.answers.count == SharedCorpus.files("openmeteo").count)
    #expect(Self.answers.filter { Self.kind($0) == nil }.map(\.path) == [])
    for (path, _) in Self.table {
      #expect(Self.answers.contains { $0.path.hasPrefix(path) }, "\(path) is none")
    }
  }

  private func run(
    _ answer: SharedCorpus.Answer, _ mode: String, _ units: String, status: Int = 200
  ) async throws -> [Batch] {
    try await ProviderHarness.run(
      ProviderHarness.make(
        WeatherProvider.self, "\(WeatherProviderTests.spot)\nmode: \(mode)\nunits: \(units)"),
      RecordedClient([RecordedClient.Answer(status: status, body: answer.body) { _ in true }]))
  }

  @Test(arguments: answers.filter { kind($0) == .weather }, ["metric", "imperial", "standard"])
  func everyColumnIsTheOneThatAnotherReaderSees(
    _ answer: SharedCorpus.Answer, _ units: String
  ) async throws {
    let root = try OtherJSON(answer.body)
    var read = 0
    for mode in ["current", "hourly", "daily"] {
      let part = mode == "current" && root[mode].value == nil ? "current_weather" : mode
      let names = Self.names.flatMap { mode == "daily" ? $0.day : $0.hour }
      guard names.contains(where: { root["\(part).\($0)"].value != nil }) else {
        let error = await #expect(throws: AggregateError.self) {
          try await run(answer, mode, units)
        }
        #expect(error?.message.contains("“\(mode)”") == true, "\(error?.message ?? "")")
        #expect(error?.message.hasPrefix("Spot: open-meteo's ") == true)
        continue
      }
      read += 1
      ExpectedWeather.compare(
        try await run(answer, mode, units), Self.rows(root, part), units: units,
        service: "open-meteo", "\(part) of \(answer.path)")
    }
    #expect(read > 0, "\(answer.path) gives no rows")
  }

  @Test(arguments: answers)
  func whatIsNoWeatherSaysWhatItIs(_ answer: SharedCorpus.Answer) async throws {
    guard case .refused(let words)? = Self.kind(answer) else { return }
    for mode in ["current", "hourly", "daily"] {
      let error = await #expect(throws: AggregateError.self) {
        try await run(answer, mode, "metric")
      }
      #expect(error?.message.contains("Spot: \(words)") == true, "\(error?.message ?? "")")
      if let reason = try OtherJSON(answer.body)["reason"].text {
        #expect(error?.message.hasSuffix(reason) == true)
        let isPassing = reason.contains("limit") || reason.contains("overloaded")
        #expect(error?.code == (isPassing ? .unavailable : .rejected))
      }
    }
  }

  @Test(arguments: answers.filter { kind($0) == .places })
  func placesAreThoseThatAnotherReaderSees(_ answer: SharedCorpus.Answer) throws {
    let base = try #require(WebURL("http://h"))
    let service = OpenMeteo(forecastBase: base, archiveBase: base, geocodingBase: base, key: nil)
    let places = try service.locations(in: JSONDocument(parsing: ByteBuffer(answer.body)))
    let wanted = try OtherJSON(answer.body)["results"].list ?? []
    try #require(places.count == wanted.count)
    for (place, wanted) in zip(places, wanted) {
      #expect(place.name == wanted["name"].text)
      #expect(place.country == wanted["country_code"].text)
      #expect(place.latitude == wanted["latitude"].number)
      #expect(place.longitude == wanted["longitude"].number)
      #expect(place.region == wanted["admin1"].text)
      #expect(place.regions == (1...4).compactMap { wanted["admin\($0)"].text })
    }
  }

  @Test func answersForSeveralCoordinatesAreAList() async throws {
    let one = #"{"utc_offset_seconds":0,"current":{"time":"2024-01-01T00:00","temperature_2m":1}}"#
    let batches = try await ProviderHarness.run(
      ProviderHarness.make(WeatherProvider.self, WeatherProviderTests.spot),
      RecordedClient([.to("/forecast", giving: "[\(one),\(one)]")]))
    #expect(ProviderHarness.column("temp", of: batches) == ["1", "1"])
  }

  // MARK: Another reading

  /// Columns, and the names of their variables from the preferred one on.
  private static let names: [(column: String, hour: [String], day: [String])] = [
    ("temp", ["temperature_2m", "temperature"], ["temperature_2m_mean"]),
    ("temp_min", [], ["temperature_2m_min"]), ("temp_max", [], ["temperature_2m_max"]),
    ("feels_like", ["apparent_temperature"], ["apparent_temperature_mean"]),
    (
      "humidity", ["relative_humidity_2m", "relativehumidity_2m", "relative_humidity"],
      ["relative_humidity_2m_mean"]
    ),
    ("pressure", ["pressure_msl", "surface_pressure"], ["pressure_msl_mean"]),
    (
      "wind_speed", ["wind_speed_10m", "windspeed_10m", "windspeed"],
      ["wind_speed_10m_max", "windspeed_10m_max"]
    ),
    (
      "wind_gust", ["wind_gusts_10m", "windgusts_10m"], ["wind_gusts_10m_max", "windgusts_10m_max"]
    ),
    (
      "wind_direction", ["wind_direction_10m", "winddirection_10m", "winddirection"],
      ["wind_direction_10m_dominant", "winddirection_10m_dominant"]
    ),
    ("clouds", ["cloud_cover", "cloudcover"], ["cloud_cover_mean", "cloudcover_mean"]),
    ("precipitation", ["precipitation", "rain"], ["precipitation_sum", "rain_sum"]),
    ("snow", ["snowfall"], ["snowfall_sum"]),
    ("code", ["weather_code", "weathercode"], ["weather_code", "weathercode"]),
  ]

  private static func rows(_ root: OtherJSON, _ part: String) -> [ExpectedWeather] {
    let block = root[part]
    let offset = root["utc_offset_seconds"].number.map { Int($0) } ?? 0
    let count = block["time"].list?.count
    return (0..<(count ?? 1)).map { index in
      func value(_ name: String) -> OtherJSON {
        block[count == nil ? name : "\(name).\(index)"]
      }
      var row = ExpectedWeather()
      let time = value("time").text ?? ""
      row.texts["date"] = String(time.prefix(10))
      let clock = time.count >= 16 ? String(time.dropFirst(11).prefix(5)) : "00:00"
      row.seconds = (try? Date("\(time.prefix(10))T\(clock):00Z", strategy: .iso8601)).map {
        Int($0.timeIntervalSince1970) - offset
      }
      for (column, hour, day) in names {
        let known = (part == "daily" ? day : hour).first { block[$0].value != nil }
        guard let known, let number = value(known).number else { continue }
        let unit =
          root["\(part)_units.\(known)"].text
          ?? (known == "windspeed" ? "km/h" : column == "snow" ? "cm" : "")
        row.numbers[column] = metric(number, unit, column)
      }
      if let code = row.numbers.removeValue(forKey: "code") {
        let words = codes[Int(code)]?.split(separator: "|").map(String.init)
        row.texts["condition"] = words?[0]
        row.texts["description"] = words?[1]
      }
      return row
    }
  }

  private static func metric(_ value: Double, _ unit: String, _ column: String) -> Double {
    switch unit {
    case "km/h": value * 1000 / 3600
    case "mp/h": value * 1609.344 / 3600
    case "kn": value * 1852 / 3600
    case "°F": (value - 32) / 1.8
    case "inch": value * 25.4
    case "cm": column == "snow" ? value * 10 / 7 : value
    default: value
    }
  }

  /// Open-Meteo's documentation of its codes, by group.
  private static let codes: [Int: String] = [
    0: "Clear|clear sky", 1: "Clear|mainly clear", 2: "Clouds|partly cloudy", 3: "Clouds|overcast",
    45: "Fog|fog", 48: "Fog|depositing rime fog", 51: "Drizzle|light drizzle",
    53: "Drizzle|moderate drizzle", 55: "Drizzle|dense drizzle",
    56: "Drizzle|light freezing drizzle",
    57: "Drizzle|dense freezing drizzle", 61: "Rain|slight rain", 63: "Rain|moderate rain",
    65: "Rain|heavy rain", 66: "Rain|light freezing rain", 67: "Rain|heavy freezing rain",
    71: "Snow|slight snow fall", 73: "Snow|moderate snow fall", 75: "Snow|heavy snow fall",
    77: "Snow|snow grains", 80: "Rain|slight rain showers", 81: "Rain|moderate rain showers",
    82: "Rain|violent rain showers", 85: "Snow|slight snow showers", 86: "Snow|heavy snow showers",
    95: "Thunderstorm|thunderstorm", 96: "Thunderstorm|thunderstorm with slight hail",
    99: "Thunderstorm|thunderstorm with heavy hail",
  ]
}
