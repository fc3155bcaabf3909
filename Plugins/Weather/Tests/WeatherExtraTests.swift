import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateWeather

/// The columns that are given when they are asked for, and digits that stay.
@Suite struct WeatherExtraTests {
  private static let all =
    "extra: [precipitation_probability, uv_index, visibility, dew_point, sunset, sunrise, timezone, region]"

  private func row(_ batches: [Batch], _ names: [String]) -> [String?] {
    names.map { ProviderHarness.column($0, of: batches).first ?? "no row" }
  }

  private static let names = ExtraColumn.allCases.map(\.rawValue)

  @Test func columnsComeAtTheEndInOneOrder() throws {
    let schema = try ProviderHarness.make(WeatherProvider.self, "places: x\n\(Self.all)").schema
    #expect(schema?.names == WeatherProvider.spec.columns.map(\.name))
    let two = try ProviderHarness.make(
      WeatherProvider.self, "places: x\nunits: imperial\nextra: [visibility, dew_point]"
    ).schema
    #expect(two?.columns.suffix(2).map(\.name) == ["dew_point", "visibility"])
    #expect(two?.columns.suffix(2).map(\.unit) == ["°F", "mi"])
    let none = try ProviderHarness.make(WeatherProvider.self, "places: x").schema
    #expect(none?.columns.count == 21)
  }

  @Test(arguments: ["current", "hourly"])
  func openMeteoIsAskedForThem(_ mode: String) async throws {
    let client = RecordedClient(RecordedClient.Answer.samples(of: WeatherProvider.spec))
    let batches = try await WeatherHarness.run(
      "places: London\nmode: \(mode)\n\(Self.all)", client
    ).batches
    let url = try #require(client.requests.last).url
    let asked = url.queryItems.first { $0.name == mode }?.value ?? ""
    #expect(asked.hasSuffix("dew_point_2m,visibility,uv_index,precipitation_probability"))
    #expect(url.queryItems.contains { $0 == ("daily", "sunrise,sunset") })
    let row = row(batches, Self.names)
    #expect(row[0] == "England" && row[1] == "Europe/London")
    #expect(row[2] == "2026-11-30T07:42:00Z" && row[3] == "2026-11-30T15:55:00Z")
    #expect(row.dropFirst(4).allSatisfy { $0 != nil })
  }

  @Test func daysHaveThemToo() async throws {
    let batches = try await WeatherHarness.run(
      "places: Tokyo\nmode: daily\n\(Self.all)",
      RecordedClient(RecordedClient.Answer.samples(of: WeatherProvider.spec))
    ).batches
    #expect(
      row(batches, ["timezone", "sunrise", "uv_index", "visibility"])
        == ["Asia/Tokyo", "2026-11-29T21:31:00Z", "0.65", "18750.0"])
    #expect(Set(ProviderHarness.column("sunrise", of: batches)).count == 3)
  }

  @Test(arguments: ["current", "forecast", "daily"])
  func openWeatherMapSaysWhatItKnows(_ mode: String) async throws {
    let batches = try await WeatherHarness.run(
      "places: London\nmode: \(mode)\n\(WeatherProviderTests.owm)\n\(Self.all)",
      RecordedClient(RecordedClient.Answer.samples(of: WeatherProvider.spec))
    ).batches
    let row = row(batches, Self.names)
    #expect(row[0] == "England")
    #expect(row[2] == "2026-11-30T07:42:00Z" && row[3] == "2026-11-30T15:55:12Z")
    #expect(row[1] == nil && row[4] == nil && row[6] == nil)
    #expect(row[5] == "10000")
    #expect(row[7] == (mode == "current" ? nil : mode == "daily" ? "62" : "8"))
    if mode != "current" {
      #expect(ProviderHarness.column("sunrise", of: batches).last == .some(nil))
    }
  }

  @Test func thePastIsNotAskedForWhatWasNotMeasured() async throws {
    let client = RecordedClient(RecordedClient.Answer.samples(of: WeatherProvider.spec))
    _ = try await WeatherHarness.run(
      "places: London\nmode: daily\nstart: 2024-03-01\nend: 2024-03-03\n\(Self.all)", client)
    let asked = try #require(client.requests.last).url.queryItems.first { $0.name == "daily" }?
      .value
    #expect(asked?.hasSuffix("weather_code,dew_point_2m_mean,sunrise,sunset") == true)
  }

  @Test func daysBeforeTodayAreAskedForAndKept() async throws {
    let client = RecordedClient([
      WeatherHarness.daily(
        #""time":["2024-02-28","2024-02-29","2024-03-01","2024-03-02"],"temperature_2m_max":[1,2,3,4]"#
      )
    ])
    let batches = try await WeatherHarness.run(
      "\(WeatherProviderTests.spot)\nmode: daily\ndays: 1\npast_days: 2", client
    ).batches
    #expect(
      ProviderHarness.column("date", of: batches) == ["2024-02-28", "2024-02-29", "2024-03-01"])
    let items = try #require(client.requests.first).url.queryItems
    #expect(items.contains { $0 == ("past_days", "2") })
    #expect(items.contains { $0 == ("forecast_days", "1") })
  }

  // MARK: Digits

  @Test(arguments: [
    ("12.30", "12.30"), ("1013.0", "1013.0"), ("-0", "-0"), ("1E1", "1E1"), (#""7.50""#, "7.50"),
    ("1234567890.123456789", "1234567890.123456789"),
  ])
  func valuesThatNobodyConvertsKeepTheirDigits(_ value: String, _ shown: String) async throws {
    let answer = RecordedClient.Answer.to(
      "/forecast",
      giving:
        #"{"current_units":{"temperature_2m":"°C","wind_speed_10m":"m/s"},"current":{"time":"2024-01-01T00:00","temperature_2m":\#(value),"wind_speed_10m":\#(value),"pressure_msl":\#(value)}}"#
    )
    let batches = try await WeatherHarness.run(WeatherProviderTests.spot, [answer]).batches
    #expect(row(batches, ["temp", "wind_speed", "pressure"]) == [shown, shown, shown])
    let imperial = try await WeatherHarness.run(
      "\(WeatherProviderTests.spot)\nunits: imperial", [answer]
    ).batches
    #expect(row(imperial, ["pressure"]) == [shown])
  }

  @Test func daysTakeTheirExtremesAsTheyWereSent() async throws {
    let items = [("12.30", "1.10"), ("9.50", "3.00")].enumerated().map { index, value in
      #"{"dt":\#(1_704_067_200 + index * 10_800),"main":{"temp":\#(value.0)},"wind":{"speed":\#(value.1)},"rain":{"3h":0.10}}"#
    }
    let batches = try await WeatherHarness.days(
      .to("/forecast", giving: #"{"list":[\#(items.joined(separator: ","))]}"#),
      WeatherProviderTests.owm
    ).batches
    #expect(
      row(batches, ["temp_min", "temp_max", "wind_speed", "temp", "precipitation"])
        == ["9.50", "12.30", "3.00", "10.9", "0.2"])
  }

  @Test(arguments: [
    (#"{"snowfall":"cm"}"#, "0.7", "1"), (#"{"snowfall":"inch"}"#, "0.7", "2.54"),
    ("{}", "7", "10"),
    (#"{"snowfall":"mm"}"#, "1.50", "1.50"), (#"{"snowfall":"m"}"#, "0.07", "10"),
    ("null", "7", "10"),
  ])
  func snowIsItsWaterWhateverItsDepthIsIn(
    _ units: String, _ value: String, _ water: String
  ) async throws {
    let batches = try await WeatherHarness.run(
      WeatherProviderTests.spot,
      [
        .to(
          "/forecast",
          giving:
            #"{"current_units":\#(units),"current":{"time":"2024-01-01T00:00","snowfall":\#(value)}}"#
        )
      ]
    ).batches
    #expect(row(batches, ["snow"]) == [water])
  }
}
