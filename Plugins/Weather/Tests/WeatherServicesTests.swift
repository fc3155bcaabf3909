import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

@testable import AggregateWeather

/// Two services as one source: the same rows for the same weather, and one standing in for the other.
@Suite struct WeatherServicesTests {
  static let meteo =
    #"{"utc_offset_seconds":3600,"current_units":{"wind_speed_10m":"km/h","wind_gusts_10m":"mp/h","apparent_temperature":"°F","snowfall":"cm"},"current":{"time":"2024-01-01T01:00","temperature_2m":10.5,"apparent_temperature":50,"relative_humidity_2m":81,"pressure_msl":1013.2,"wind_speed_10m":36,"wind_gusts_10m":33.554,"wind_direction_10m":270,"cloud_cover":75,"precipitation":25.4,"snowfall":0.7,"weather_code":95}}"#
  static let owm =
    #"{"cod":200,"dt":1704067200,"timezone":3600,"main":{"temp":10.5,"feels_like":10,"humidity":81,"pressure":1013.2},"wind":{"speed":10,"gust":15,"deg":270},"clouds":{"all":75},"rain":{"1h":24.4},"snow":{"1h":1},"weather":[{"main":"Thunderstorm","description":"thunderstorm"}]}"#

  private static func both(_ services: String, _ more: String = "") -> String {
    "\(WeatherProviderTests.spot)\nservice: \(services)\napi_key: k3y-of-owm\n\(more)"
  }

  @Test(arguments: [
    ("metric", "10.5", "10", "10", "15", "25.4", "1"),
    ("imperial", "50.9", "50", "22.37", "33.55", "1", "0.04"),
    ("standard", "283.65", "283.15", "10", "15", "25.4", "1"),
  ])
  func theSameWeatherIsTheSameRow(
    _ units: String, _ temp: String, _ feelsLike: String, _ wind: String, _ gust: String,
    _ rain: String, _ snow: String
  ) async throws {
    var rows: [[String: String?]] = []
    var schemas: [Schema?] = []
    for service in ["open-meteo", "openweathermap"] {
      let provider = try ProviderHarness.make(
        WeatherProvider.self, Self.both(service, "units: \(units)"))
      schemas.append(provider.schema)
      let batches = try await ProviderHarness.run(
        provider,
        RecordedClient([
          .to("/forecast", giving: Self.meteo), .to("/data/2.5/weather", giving: Self.owm),
        ]))
      let names = WeatherProvider.columns(.metric, []).map(\.name)
      var row = Dictionary(
        uniqueKeysWithValues: names.map {
          ($0, ProviderHarness.column($0, of: batches).first ?? "no row")
        })
      #expect(row.removeValue(forKey: "service") == service)
      rows.append(row)
    }
    #expect(schemas[0] == schemas[1])
    #expect(rows[0] == rows[1])
    #expect(rows[0]["time"] == "2024-01-01T00:00:00Z")
    #expect(rows[0]["date"] == "2024-01-01")
    #expect(rows[0]["temp"] == temp)
    #expect(rows[0]["feels_like"] == feelsLike)
    #expect(rows[0]["wind_speed"] == wind)
    #expect(rows[0]["wind_gust"] == gust)
    #expect(rows[0]["precipitation"] == rain)
    #expect(rows[0]["snow"] == snow)
    #expect(rows[0]["humidity"] == "81")
    #expect(rows[0]["description"] == "thunderstorm")
  }

  @Test func placesAreCalledAsDeclaredWhateverTheServicesCallThem() async throws {
    let client = RecordedClient([
      .to(
        "/search", "name=New York",
        giving:
          #"{"results":[{"name":"New York City","country_code":"US","latitude":40.7,"longitude":-74}]}"#
      ),
      .to(
        "/search", "name=10115",
        giving: #"{"results":[{"name":"Berlin","country_code":"DE","latitude":52,"longitude":13}]}"#
      ),
      .to(
        "/geo/1.0/direct",
        giving: #"[{"name":"New York County","country":"US","lat":40.71,"lon":-74.01}]"#),
      .to("/forecast", giving: Self.meteo), .to("/data/2.5/weather", giving: Self.owm),
    ])
    var keys: [[String?]] = []
    for service in ["open-meteo", "openweathermap"] {
      let batches = try await ProviderHarness.run(
        ProviderHarness.make(
          WeatherProvider.self,
          "places: [\"New York, US\"]\nservice: \(service)\napi_key: k3y-of-owm"), client)
      keys.append(
        ["place", "country", "date"].flatMap { ProviderHarness.column($0, of: batches) })
    }
    #expect(keys[0] == ["New York", "US", "2024-01-01"])
    #expect(keys[0] == keys[1])
    let code = try await ProviderHarness.run(
      ProviderHarness.make(WeatherProvider.self, "places: ['10115']"), client)
    #expect(ProviderHarness.column("place", of: code) == ["10115"])
  }

  @Test(
    arguments: [
      ("[1,2]", ["1", "2", nil]), ("[1,2,3,4]", ["1", "2", "3"]), ("null", [nil, nil, nil]),
    ]
      as [(String, [String?])])
  func listsOfAnotherLengthThanTheTimesAreTold(_ values: String, _ read: [String?]) async throws {
    let (batches, told) = try await WeatherHarness.days(
      WeatherHarness.daily(
        #""time":["2024-01-01","2024-01-02","2024-01-03"],"temperature_2m_max":\#(values)"#))
    #expect(ProviderHarness.column("temp_max", of: batches) == read)
    #expect(told.count == (values == "null" ? 0 : 1))
    #expect(values == "null" || told.first?.contains("temp_max") == true)
  }

  @Test func windInMilesIsNotRoundedOnTheWay() async throws {
    let batches = try await ProviderHarness.run(
      ProviderHarness.make(WeatherProvider.self, "\(WeatherProviderTests.spot)\nunits: imperial"),
      RecordedClient([
        .to(
          "/forecast",
          giving:
            #"{"current_units":{"wind_speed_10m":"km/h"},"current":{"time":"2024-01-01T00:00","wind_speed_10m":5.2}}"#
        )
      ]))
    // 5.2 km/h are 3.231 mph; by way of 1.44 m/s it would be 3.22.
    #expect(ProviderHarness.column("wind_speed", of: batches) == ["3.23"])
  }

  /// A service that is down, and what its answer is.
  enum Outage: String, CaseIterable {
    case broken, overloaded, unavailable, wrongKey, overQuota, refused, otherAnswer

    var status: Int {
      switch self {
      case .broken: 500
      case .overloaded: 502
      case .unavailable: 503
      case .wrongKey: 401
      case .overQuota: 429
      case .refused, .otherAnswer: 200
      }
    }
  }

  /// Answers for the hosts that are up; the others have an outage.
  private struct Services: HTTPClient {
    let isUp: @Sendable (WebURL) -> Bool
    let outage: Outage

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      if isUp(request.url) {
        return try await RecordedClient([
          .to("/forecast", giving: WeatherServicesTests.meteo),
          .to("/data/2.5/weather", giving: WeatherServicesTests.owm),
        ]).send(request)
      }
      if outage == .refused {
        throw AggregateError(.unavailable, "GET \(request.url): connection refused")
      }
      return try await RecordedClient([
        .to("/", status: outage.status, giving: #"{"message":"no"}"#)
      ]).send(request)
    }
  }

  private static func isMeteo(_ url: WebURL) -> Bool { url.authority.contains("open-meteo") }

  @Test(arguments: Outage.allCases, [true, false])
  func theNextServiceAnswersWhenOneIsDown(_ outage: Outage, _ meteoIsUp: Bool) async throws {
    let order = meteoIsUp ? ["openweathermap", "open-meteo"] : ["open-meteo", "openweathermap"]
    let warnings = Collected()
    let batches = try await ProviderHarness.run(
      ProviderHarness.make(
        WeatherProvider.self, Self.both("[\(order.joined(separator: ", "))]")),
      Services(isUp: { Self.isMeteo($0) == meteoIsUp }, outage: outage),
      log: RunLog(level: .normal, isStrict: false) { warnings.add("\($0)") })
    #expect(ProviderHarness.column("service", of: batches) == [order[1]])
    #expect(ProviderHarness.column("temp", of: batches) == ["10.5"])
    #expect(warnings.lines.count == 1)
    #expect(
      warnings.lines.first?.contains("Spot: \(order[0]) failed, asking \(order[1]): ") == true)
  }

  @Test(arguments: Outage.allCases)
  func whenBothAreDownBothAreTold(_ outage: Outage) async throws {
    let warnings = Collected()
    let provider = try ProviderHarness.make(
      WeatherProvider.self, Self.both("[open-meteo, openweathermap]"))
    let error = await #expect(throws: AggregateError.self) {
      try await ProviderHarness.run(
        provider, Services(isUp: { _ in false }, outage: outage),
        log: RunLog(level: .normal, isStrict: false) { warnings.add("\($0)") })
    }
    #expect(error?.message.hasPrefix("Spot: ") == true)
    #expect(error?.message.contains("openweathermap") == true)
    #expect(error?.message.contains("; open-meteo failed before it") == true)
    #expect(error?.hint != nil)
    #expect(error?.hint?.contains("second service") == false)
    #expect(warnings.lines.count == 1)
    #expect(warnings.lines.first?.contains("open-meteo failed") == true)
  }

  @Test func eachPlaceIsAnsweredByTheServiceThatKnowsIt() async throws {
    let yaml = """
      places: [{lat: 1, lon: 1, name: A}, {lat: 2, lon: 2, name: B}]
      service: [open-meteo, openweathermap]
      api_key: k3y-of-owm
      """
    let batches = try await ProviderHarness.run(
      ProviderHarness.make(WeatherProvider.self, yaml),
      Services(
        isUp: { !(Self.isMeteo($0) && $0.query?.contains("latitude=2") == true) },
        outage: .broken))
    #expect(ProviderHarness.column("place", of: batches) == ["A", "B"])
    #expect(ProviderHarness.column("service", of: batches) == ["open-meteo", "openweathermap"])
  }
}
