import AggregateCore
import AggregateJSON
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateWeather

/// Real answers of OpenWeatherMap, read once more by another path.
@Suite(.corpus("openweather"))
struct OpenWeatherMapCorpusTests {
  /// What an answer is.
  enum Kind: Equatable {
    case weather
    case places
    /// Refused, with these words.
    case refused(String)
  }

  private static let otherAnswer = Kind.refused("has neither a “list” nor a time “dt”")

  /// What every file is, by the beginning of its path; the longest one that fits counts.
  private static let table: [(path: String, kind: Kind)] = [
    ("current/", .weather), ("forecast/", .weather), ("telegraf/", .weather),
    ("errors/", .refused("refused with")),
    ("mocks/current_weather", .weather), ("mocks/forecast", .weather),
    ("mocks/geocoding_", .places), ("mocks/yonghwankim_", .refused("refused with")),
    ("mocks/error_responses__4", .refused("refused with")),
    ("mocks/error_responses__500", .refused("refused with")),
    ("mocks/error_responses__geolocation", otherAnswer),
    ("mocks/error_responses__noaa", otherAnswer),
    ("mocks/air_pollution", .refused("an element that is no weather")),
    ("mocks/ip_geolocation", otherAnswer), ("mocks/noaa_", otherAnswer), ("mocks/uv_", otherAnswer),
    ("other/history", .weather), ("pyowm/", .weather),
    ("pyowm/city_weather_history_not_found", .refused("refused with 404")),
    ("pyowm/forecast_malformed", .refused("an element that is no weather")),
    ("pyowm/internal_server_error", .refused("refused with 500")),
    ("pyowm/observation_not_found", .refused("refused with 404")),
    ("pyowm/one_call", otherAnswer), ("pyowm/station_history_no_items", otherAnswer),
    ("pyowm/three_hours_forecast_not_found", .refused("refused with 404")),
    ("recorded/current/", .weather), ("recorded/forecast/", .weather),
    ("recorded/errors/", .refused("refused with")),
    ("recorded/errors/dblock_errors_not_found", .refused("is empty")),
    ("recorded/onecall/", otherAnswer),
    ("recorded/other/coderhs_api_history_", .weather),
    ("recorded/other/coderhs_api_history_geocode_invalid", otherAnswer),
    ("recorded/other/dblock_stations_", otherAnswer),
    ("recorded/other/dblock_stations_create_measurement", .refused("is empty")),
    ("recorded/other/dblock_stations_delete_station", .refused("is empty")),
  ]

  private static func kind(_ answer: SharedCorpus.Answer) -> Kind? {
    table.filter { answer.path.hasPrefix($0.path) }.max { $0.path.utf8.count < $1.path.utf8.count }?
      .kind
  }

  private static let answers = SharedCorpus.answers("openweather")

  @Test func everyFileIsInTheTable() {
    #expect(Self.answers.count == SharedCorpus.files("openweather").count)
    #expect(Self.answers.filter { Self.kind($0) == nil }.map(\.path) == [])
    for (path, _) in Self.table {
      #expect(Self.answers.contains { $0.path.hasPrefix(path) }, "\(path) is none")
    }
  }

  private func run(_ answer: SharedCorpus.Answer, _ mode: String, _ units: String) async throws
    -> [Batch]
  {
    try await ProviderHarness.run(
      ProviderHarness.make(
        WeatherProvider.self,
        """
        \(WeatherProviderTests.spot)
        \(WeatherProviderTests.owm)
        mode: \(mode)
        units: \(units)
        """),
      RecordedClient([RecordedClient.Answer(body: answer.body) { _ in true }]))
  }

  @Test(arguments: answers.filter { kind($0) == .weather }, ["metric", "imperial", "standard"])
  func everyColumnIsTheOneThatAnotherReaderSees(
    _ answer: SharedCorpus.Answer, _ units: String
  ) async throws {
    let root = try OtherJSON(answer.body)
    let rows = Self.rows(root)
    for mode in ["current", "forecast"] {
      ExpectedWeather.compare(
        try await run(answer, mode, units), rows, units: units, service: "openweathermap",
        answer.path)
    }
    guard root["list"].list != nil else { return }
    ExpectedWeather.compare(
      try await run(answer, "daily", units), Self.days(rows), units: units,
      service: "openweathermap", answer.path)
  }

  @Test(arguments: answers)
  func whatIsNoWeatherSaysWhatItIs(_ answer: SharedCorpus.Answer) async throws {
    guard case .refused(let words)? = Self.kind(answer) else { return }
    if answer.body.allSatisfy({ $0 <= 0x20 }) {
      return #expect(try await run(answer, "current", "metric").isEmpty)
    }
    for mode in ["current", "forecast", "daily"] {
      let error = await #expect(throws: AggregateError.self) {
        try await run(answer, mode, "metric")
      }
      #expect(error?.message.contains(words) == true, "\(answer.path): \(error?.message ?? "")")
      #expect(error?.message.contains("Spot") == true)
    }
  }

  @Test(arguments: answers.filter { kind($0) == .places })
  func placesAreThoseThatAnotherReaderSees(_ answer: SharedCorpus.Answer) throws {
    let service = OpenWeatherMap(
      base: try #require(WebURL("http://h")),
      access: ServiceKey(
        "api_key",
        of: Options(
          Node(.mapping([]), at: SourceLocation(file: "test", line: 1, column: 1)), specs: []),
        service: "openweathermap", page: OpenWeatherMap.keyPage, variable: "OPENWEATHERMAP_KEY"))
    let places = try service.locations(in: JSONDocument(parsing: ByteBuffer(answer.body)))
    let wanted = try #require(try OtherJSON(answer.body).list)
    try #require(places.count == wanted.count)
    for (place, wanted) in zip(places, wanted) {
      #expect(place.name == wanted["name"].text)
      #expect(place.country == wanted["country"].text)
      #expect(place.latitude == wanted["lat"].number)
      #expect(place.longitude == wanted["lon"].number)
      #expect(place.region == wanted["state"].text)
      let isKnown = wanted["country"].text == "US"
      #expect(place.regions == (isKnown ? wanted["state"].text.map { [$0] } : nil))
    }
  }

  // MARK: Another reading

  /// Columns and their paths, in the three-hourly and current answers and in the daily forecast.
  private static let paths: [(column: String, hour: String, day: String)] = [
    ("temp", "main.temp", "temp.day"), ("temp_min", "main.temp_min", "temp.min"),
    ("temp_max", "main.temp_max", "temp.max"), ("feels_like", "main.feels_like", "feels_like.day"),
    ("humidity", "main.humidity", "humidity"), ("pressure", "main.pressure", "pressure"),
    ("wind_speed", "wind.speed", "speed"), ("wind_gust", "wind.gust", "gust"),
    ("wind_direction", "wind.deg", "deg"), ("clouds", "clouds.all", "clouds"),
  ]

  private static func rows(_ root: OtherJSON) -> [ExpectedWeather] {
    (root["list"].list ?? [root]).map { item in
      var row = ExpectedWeather()
      for (column, hour, day) in paths {
        row.numbers[column] = item[item["main"].value == nil ? day : hour].number
      }
      let snow = item.first(["snow.1h", "snow.3h", "snow"]).number
      let rain = item.first(["rain.1h", "rain.3h", "rain"]).number
      row.numbers["snow"] = snow
      row.numbers["precipitation"] = rain == nil && snow == nil ? nil : (rain ?? 0) + (snow ?? 0)
      row.texts["condition"] = item["weather.0.main"].text
      row.texts["description"] = item["weather.0.description"].text
      let isList = root["list"].value != nil
      let zone =
        isList
        ? item["sys.timezone"].number ?? root["city.timezone"].number : root["timezone"].number
      row.offset = zone.map { Int($0) } ?? 0
      row.seconds = item["dt"].number.map { Int($0) }
      row.texts["date"] = row.seconds.map { ExpectedWeather.local($0, row.offset).date }
      return row
    }
  }

  /// The rule of days, once more.
  private static func days(_ rows: [ExpectedWeather]) -> [ExpectedWeather] {
    var dates: [String] = []
    for row in rows {
      if let date = row.texts["date"], !dates.contains(date) { dates.append(date) }
    }
    return dates.map { date in
      let all = rows.filter { $0.texts["date"] == date }
      func values(_ column: String) -> [Double] { all.compactMap { $0.numbers[column] } }
      var day = ExpectedWeather()
      for column in ["temp", "feels_like", "humidity", "pressure", "clouds"] {
        let list = values(column)
        if !list.isEmpty { day.numbers[column] = list.reduce(0, +) / Double(list.count) }
      }
      day.numbers["temp_min"] = (values("temp_min") + values("temp")).min()
      day.numbers["temp_max"] = (values("temp_max") + values("temp")).max()
      for column in ["wind_speed", "wind_gust"] { day.numbers[column] = values(column).max() }
      let windiest = all.first { $0.numbers["wind_speed"] == values("wind_speed").max() }
      day.numbers["wind_direction"] = windiest?.numbers["wind_direction"]
      for column in ["precipitation", "snow"] where !values(column).isEmpty {
        day.numbers[column] = values(column).reduce(0, +)
      }
      let distances = all.map { row in
        abs(ExpectedWeather.local(row.seconds ?? 0, row.offset).second - 12 * 3600)
      }
      let noon = distances.min().flatMap(distances.firstIndex).map { all[$0] }
      day.texts = noon?.texts ?? [:]
      day.texts["date"] = date
      day.offset = all[0].offset
      day.seconds = all[0].seconds.map {
        $0 - ExpectedWeather.local($0, all[0].offset).second
      }
      return day
    }
  }
}
