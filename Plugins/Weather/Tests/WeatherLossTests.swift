import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateWeather

/// Times, offsets, codes and numbers that nobody can read: told, and never taken for others.
@Suite struct WeatherLossTests {
  private func hours(
    _ times: String, _ rest: String = #""temperature_2m":[1,2]"#, offset: String = "0"
  ) async throws -> (batches: [Batch], told: [String]) {
    try await WeatherHarness.run(
      "\(WeatherProviderTests.spot)\nmode: hourly",
      [
        .to(
          "/forecast",
          giving: #"{"utc_offset_seconds":\#(offset),"hourly":{"time":\#(times),\#(rest)}}"#)
      ])
  }

  private func now(_ offset: String) async throws -> (batches: [Batch], told: [String]) {
    try await WeatherHarness.run(
      "\(WeatherProviderTests.spot)\n\(WeatherProviderTests.owm)",
      [
        .to(
          "/weather",
          giving: #"{"cod":200,"dt":1704067200,"timezone":\#(offset),"main":{"temp":1}}"#)
      ])
  }

  private static let times = #"["2024-01-01T00:00","2024-01-01T01:00"]"#

  @Test(arguments: [
    ("3600", "2023-12-31T23:00:00Z"), (#""3600""#, "2023-12-31T23:00:00Z"),
    ("3600.0", "2023-12-31T23:00:00Z"), ("-43200", "2024-01-01T12:00:00Z"),
    ("50400", "2023-12-31T10:00:00Z"), ("null", "2024-01-01T00:00:00Z"),
  ])
  func offsetsAreNumbersInAnyForm(_ offset: String, _ time: String) async throws {
    let (batches, told) = try await hours(Self.times, offset: offset)
    #expect(ProviderHarness.column("time", of: batches).first == time)
    #expect(ProviderHarness.column("date", of: batches).first == "2024-01-01")
    #expect(told.isEmpty)
    let other = try await now(offset)
    #expect(ProviderHarness.column("time", of: other.batches) == ["2024-01-01T00:00:00Z"])
    #expect(
      ProviderHarness.column("date", of: other.batches)
        == [offset == "-43200" ? "2023-12-31" : "2024-01-01"])
  }

  @Test(arguments: [
    "1000000000", "57601", "-57601", #""an hour""#, "3600.5", "{}", "[3600]", "true", "1e300",
    "-9223372036854775808", #""""#,
  ])
  func anImpossibleOffsetIsAnErrorOfTheAnswer(_ offset: String) async {
    let errors = [
      await #expect(throws: AggregateError.self) { try await hours(Self.times, offset: offset) },
      await #expect(throws: AggregateError.self) { try await now(offset) },
    ]
    for error in errors {
      #expect(error?.code == .badData)
      #expect(error?.message.hasPrefix("Spot: open") == true)
      #expect(error?.message.contains("which is no offset from UTC in seconds") == true)
    }
  }

  @Test func anImpossibleOffsetHasTheNextServiceAsked() async throws {
    let (batches, told) = try await WeatherHarness.run(
      "\(WeatherProviderTests.spot)\n\(WeatherHarness.both)\nmode: daily",
      [
        .to(
          "/v1/forecast",
          giving:
            #"{"utc_offset_seconds":1000000,"daily":{"time":["2024-01-01"],"weather_code":[1]}}"#),
        .to("/forecast", giving: #"{"list":[{"dt":1704067200,"main":{"temp":1}}]}"#),
      ])
    #expect(ProviderHarness.column("service", of: batches) == ["openweathermap"])
    #expect(told.count == 1)
  }

  @Test(
    arguments: [
      (#"[null,"x"]"#, nil, nil, 2), (#"["2024-13-01T00:00","2024-01-01T01:00"]"#, nil, nil, 1),
      (#"["2024-01-01T25:00","2024-01-01T01:00"]"#, nil, "2024-01-01", 1),
      (#"["2024-01-01T00:00x",{}]"#, nil, "2024-01-01", 2),
      (#"["1704067200","1704070800"]"#, "2024-01-01T00:00:00Z", "2024-01-01", 0),
      ("[1704067200,1704070800]", "2024-01-01T00:00:00Z", "2024-01-01", 0),
      ("[99999999999999,true]", nil, nil, 2),
      (
        #"["2024-01-01T00:00Z","2024-01-01T00:00:30+05:00"]"#, "2024-01-01T00:00:00Z", "2024-01-01",
        0
      ),
      (#"["2024-01-01T00:00:30","2024-01-01 01:00"]"#, "2023-12-31T23:00:30Z", "2024-01-01", 0),
    ] as [(String, String?, String?, Int)])
  func timesAreReadOrTold(
    _ times: String, _ time: String?, _ date: String?, _ lost: Int
  ) async throws {
    let (batches, told) = try await hours(times, offset: "3600")
    #expect(ProviderHarness.column("time", of: batches).count == 2)
    #expect(ProviderHarness.column("time", of: batches).first == time)
    #expect(ProviderHarness.column("date", of: batches).first == date)
    #expect(
      told.filter {
        $0.contains("column “time”") && $0.contains(lost == 1 ? "1 value" : "2 values")
      }
      .count == (lost == 0 ? 0 : 1), "\(told)")
    #expect(told.isEmpty == (lost == 0))
  }

  @Test func timesOfNowAndOfOpenWeatherMapAreToldToo() async throws {
    let (batches, told) = try await WeatherHarness.run(
      WeatherProviderTests.spot, [.to("/forecast", giving: #"{"current":{"temperature_2m":1}}"#)])
    #expect(ProviderHarness.column("time", of: batches) == [nil])
    #expect(told.first?.contains("column “time”") == true)
    for (dt, time) in [(#""1704067200""#, "2024-01-01T00:00:00Z"), ("9223372036854775807", nil)] {
      let (batches, told) = try await WeatherHarness.run(
        "\(WeatherProviderTests.spot)\n\(WeatherProviderTests.owm)",
        [.to("/weather", giving: #"{"cod":200,"dt":\#(dt),"main":{"temp":1}}"#)])
      #expect(ProviderHarness.column("time", of: batches) == [time])
      #expect(told.count == (time == nil ? 1 : 0))
    }
  }

  @Test(
    arguments: [
      (#"["61","0"]"#, ["Rain", "Clear"], 0), ("[61.0,0]", ["Rain", "Clear"], 0),
      ("[null,0]", [nil, "Clear"], 0), ("null", [nil, nil], 0),
      ("[{},0]", [nil, "Clear"], 1), (#"["x",4]"#, [nil, nil], 2), ("[61]", ["Rain", nil], 1),
      ("[61,0,0]", ["Rain", "Clear"], 1), ("[61.5,1e300]", [nil, nil], 2), ("[]", [nil, nil], 1),
    ] as [(String, [String?], Int)])
  func codesAreReadOrTold(_ codes: String, _ conditions: [String?], _ lost: Int) async throws {
    let (batches, told) = try await hours(Self.times, #""weather_code":\#(codes)"#)
    #expect(ProviderHarness.column("condition", of: batches) == conditions)
    #expect(told.count == (lost == 0 ? 0 : 1), "\(told)")
    let count = lost == 1 ? "1 value became" : "2 values became"
    #expect(told.allSatisfy { $0.contains("column “condition”: \(count)") }, "\(told)")
  }

  @Test func wordsThatAreNoTextAreTold() async throws {
    let (batches, told) = try await WeatherHarness.run(
      "\(WeatherProviderTests.spot)\n\(WeatherProviderTests.owm)",
      [
        .to(
          "/weather",
          giving:
            #"{"cod":200,"dt":1704067200,"main":{"temp":1},"weather":[{"main":5,"description":null}]}"#
        )
      ])
    #expect(ProviderHarness.column("condition", of: batches) == [nil])
    #expect(told.count == 1)
  }

  @Test(
    arguments: [
      ("imperial", "1.7e308", nil), ("standard", "1.7e308", "1.7e+308"),
      ("metric", "1.7e308", "1.7e308"),
      ("imperial", "-1.7e308", nil), ("imperial", "1e400", nil),
    ] as [(String, String, String?)])
  func numbersThatAreTooLargeToConvertAreTold(
    _ units: String, _ value: String, _ shown: String?
  ) async throws {
    let (batches, told) = try await WeatherHarness.run(
      "\(WeatherProviderTests.spot)\nunits: \(units)",
      [
        .to(
          "/forecast",
          giving: #"{"current":{"time":"2024-01-01T00:00","temperature_2m":\#(value)}}"#)
      ])
    #expect(ProviderHarness.column("temp", of: batches) == [shown])
    #expect(told.count == (shown == nil ? 1 : 0), "\(told)")
    #expect(told.allSatisfy { $0.contains("column “temp”: 1 value became null") })
  }

  @Test func lossesOfAForecastAreToldOfItsDays() async throws {
    let (batches, told) = try await WeatherHarness.days(
      .to("/forecast", giving: #"{"list":[{"dt":1704067200,"main":{"temp":"n/a"}}]}"#),
      WeatherProviderTests.owm)
    #expect(ProviderHarness.column("temp", of: batches) == [nil])
    #expect(told.count == 1)
    #expect(told.first?.contains("column “temp”") == true)
  }

  @Test(arguments: [
    (#"{"temperature_2m":"Bft"}"#, "temperature_2m"),
    (#"{"wind_speed_10m":"Bft"}"#, "wind_speed_10m"),
    (#"{"precipitation":"cups"}"#, "precipitation"), (#"{"snowfall":"flakes"}"#, "snowfall"),
  ])
  func unitsThatAreNotKnownAreTold(_ units: String, _ name: String) async throws {
    let (batches, told) = try await WeatherHarness.run(
      WeatherProviderTests.spot,
      [
        .to(
          "/forecast",
          giving:
            #"{"current_units":\#(units),"current":{"time":"2024-01-01T00:00","\#(name)":5,"cloud_cover":1}}"#
        )
      ])
    for column in ["temp", "wind_speed", "precipitation", "snow"] {
      #expect(ProviderHarness.column(column, of: batches) == [nil])
    }
    #expect(told.count == 1)
    #expect(told.first?.contains("is in a unit that is not known") == true)
  }

  @Test(arguments: [
    (#"" 404 ""#, "refused with 404"), (#""4 0 4""#, "refused with 404"),
    (#""x""#, "“cod” is \"x\""),
    ("true", "“cod” is true"), ("404.0", "refused with 404"),
  ])
  func whateverIsNoSuccessIsNone(_ cod: String, _ said: String) async {
    let error = await WeatherHarness.failure(
      "\(WeatherProviderTests.spot)\n\(WeatherProviderTests.owm)",
      [.to("/weather", giving: #"{"cod":\#(cod),"message":"no","dt":0,"main":{"temp":1}}"#)])
    #expect(error?.message.contains(said) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: ["null", "\"abc\"", "1704067200.7"])
  func aTimeOfOpenWeatherMapThatIsNoneIsTold(_ time: String) async throws {
    for (mode, path, body) in [
      ("current", "/weather", #"{"cod":200,"dt":\#(time),"main":{"temp":1}}"#),
      ("forecast", "/forecast", #"{"list":[{"dt":\#(time),"main":{"temp":1}}]}"#),
    ] {
      let (batches, told) = try await WeatherHarness.run(
        "\(WeatherProviderTests.spot)\n\(WeatherProviderTests.owm)\nmode: \(mode)",
        [.to(path, giving: body)])
      #expect(ProviderHarness.column("time", of: batches) == [nil])
      #expect(told.contains { $0.contains("time") && $0.contains("null") }, "\(told)")
    }
  }
}
