import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateWeather

/// Local dates where clocks are odd: one row per place and date, nothing lost, nothing twice.
@Suite struct WeatherDaysTests {
  /// Seconds by which clocks are ahead of UTC: both sides of the date line, half hours, quarters.
  static let offsets = [
    -43_200, -39_600, -34_200, -12_600, -10_800, 0, 3600, 12_600, 16_200, 19_800, 20_700, 31_500,
    34_200, 37_800, 45_900, 46_800, 50_400,
  ]

  /// Forty readings, three hours apart, each with one millimetre of rain.
  private func forecast(from seconds: Int, offset: Int) -> RecordedClient.Answer {
    let items = (0..<40).map { index in
      #"{"dt":\#(seconds + index * 10_800),"main":{"temp":\#(index)},"rain":{"3h":1}}"#
    }
    return .to(
      "/data/2.5/forecast",
      giving:
        #"{"cod":"200","list":[\#(items.joined(separator: ","))],"city":{"timezone":\#(offset)}}"#)
  }

  private func days(_ answer: RecordedClient.Answer) async throws -> [Batch] {
    try await WeatherHarness.days(answer, WeatherProviderTests.owm).batches
  }

  @Test(arguments: offsets, [1_709_251_200, 1_711_832_400, 1_730_077_200, 1_735_603_200])
  func everyReadingIsInTheDayOfThePlacesClock(_ offset: Int, _ start: Int) async throws {
    let batches = try await days(forecast(from: start, offset: offset))
    var wanted: [String: Int] = [:]
    for index in 0..<40 {
      wanted[ExpectedWeather.local(start + index * 10_800, offset).date, default: 0] += 1
    }
    let dates = ProviderHarness.column("date", of: batches).compactMap(\.self)
    #expect(dates == wanted.keys.sorted())
    #expect(
      ProviderHarness.column("precipitation", of: batches)
        == dates.map { wanted[$0].map(String.init) })
    for (date, time) in zip(dates, ProviderHarness.column("time", of: batches)) {
      let midnight = try Date(try #require(time), strategy: .iso8601)
      let local = ExpectedWeather.local(Int(midnight.timeIntervalSince1970), offset)
      #expect(local.date == date && local.second == 0)
    }
  }

  /// Europe's clocks went forward on 31 March and back on 27 October 2024, at 01:00 UTC; the service
  /// states the offset at the moment of the request for all five days.
  @Test(arguments: [(1_711_749_600, 3600), (1_711_749_600, 7200), (1_729_900_800, 7200)])
  func aChangeOfClocksWithinTheForecastMovesNoReadingOutOfIt(_ start: Int, _ offset: Int)
    async throws
  {
    let batches = try await days(forecast(from: start, offset: offset))
    let dates = ProviderHarness.column("date", of: batches).compactMap(\.self)
    #expect(Set(dates).count == dates.count)
    let rain = ProviderHarness.column("precipitation", of: batches).compactMap {
      $0.flatMap(Double.init)
    }
    #expect(rain.reduce(0, +) == 40)
    #expect(rain.dropFirst().dropLast().allSatisfy { $0 == 8 })
  }

  @Test(arguments: offsets)
  func openMeteosDaysBeginAtMidnightOfThePlacesClock(_ offset: Int) async throws {
    let batches = try await WeatherHarness.days(
      WeatherHarness.daily(
        #""time":["2024-03-30","2024-03-31","2024-04-01"],"temperature_2m_max":[1,2,3]"#,
        offset: offset)
    ).batches
    let dates = ProviderHarness.column("date", of: batches).compactMap(\.self)
    #expect(dates == ["2024-03-30", "2024-03-31", "2024-04-01"])
    for (date, time) in zip(dates, ProviderHarness.column("time", of: batches)) {
      let midnight = try Date(try #require(time), strategy: .iso8601)
      let local = ExpectedWeather.local(Int(midnight.timeIntervalSince1970), offset)
      #expect(local.date == date && local.second == 0)
    }
  }

  /// Open-Meteo's clock does not change within an answer: every date has its 24 hours, and in UTC they
  /// go on without a gap and without a repetition.
  @Test(arguments: ["2024-03-31", "2024-10-27"], [3600, 7200])
  func hoursOfADayOnWhichClocksChangeAreTwentyFour(_ date: String, _ offset: Int) async throws {
    let times = (0..<24).map { "\"\(date)T\($0 < 10 ? "0" : "")\($0):00\"" }
    let batches = try await ProviderHarness.run(
      ProviderHarness.make(WeatherProvider.self, "\(WeatherProviderTests.spot)\nmode: hourly"),
      RecordedClient([
        .to(
          "/forecast",
          giving:
            #"{"utc_offset_seconds":\#(offset),"hourly":{"time":[\#(times.joined(separator: ","))],"temperature_2m":\#(Array(0..<24))}}"#
        )
      ]))
    let seconds = try ProviderHarness.column("time", of: batches).map {
      try Date(try #require($0), strategy: .iso8601).timeIntervalSince1970
    }
    #expect(seconds.count == 24)
    #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $1 - $0 == 3600 })
    #expect(Set(ProviderHarness.column("date", of: batches)) == [date])
  }

  /// Days of 23 and 25 hours, as an archive that follows the clock would give them: no row is lost.
  @Test(arguments: [23, 25])
  func hoursThatAreLeftOutOrRepeatedAreRowsAsTheyCome(_ count: Int) async throws {
    var hours = Array(0..<24)
    if count == 23 { hours.remove(at: 2) } else { hours.insert(2, at: 2) }
    let times = hours.map { "\"2024-03-31T\($0 < 10 ? "0" : "")\($0):00\"" }
    let batches = try await ProviderHarness.run(
      ProviderHarness.make(
        WeatherProvider.self, "\(WeatherProviderTests.spot)\nmode: hourly\nstart: 2024-03-31"),
      RecordedClient([
        .to(
          "/archive",
          giving:
            #"{"utc_offset_seconds":3600,"hourly":{"time":[\#(times.joined(separator: ","))],"temperature_2m":\#(hours)}}"#
        )
      ]))
    #expect(ProviderHarness.column("temp", of: batches) == hours.map(String.init))
  }

  @Test(arguments: [-39_600, 0, 20_700, 46_800])
  func bothServicesHaveTheSameDatesOfAPlace(_ offset: Int) async throws {
    let start = 1_709_251_200 - offset
    let dates = ["2024-03-01", "2024-03-02", "2024-03-03", "2024-03-04", "2024-03-05"]
    let written = dates.map { "\"\($0)\"" }.joined(separator: ",")
    let meteo = WeatherHarness.daily(
      #""time":[\#(written)],"temperature_2m_max":[1,2,3,4,5]"#, offset: offset)
    var keys: [[String]] = []
    for (answer, service) in [
      (meteo, ""), (forecast(from: start, offset: offset), WeatherProviderTests.owm),
    ] {
      let batches = try await WeatherHarness.days(answer, service).batches
      let places = ProviderHarness.column("place", of: batches)
      let found = ProviderHarness.column("date", of: batches)
      keys.append(zip(places, found).map { "\($0 ?? "") \($1 ?? "")" })
    }
    #expect(keys[0] == dates.map { "Spot \($0)" })
    // What is left when their rows are merged and deduplicated by place and date: one row each.
    #expect(keys[0] == keys[1])
  }

  @Test func aPlaceThatIsNamedTwiceIsReadOnce() async throws {
    let spot = "{lat: 51.5, lon: -0.12, name: Spot}"
    let client = RecordedClient([
      .to("/forecast", giving: #"{"current":{"time":"2024-01-01T00:00","temperature_2m":7}}"#)
    ])
    let batches = try await ProviderHarness.run(
      ProviderHarness.make(WeatherProvider.self, "places: [\(spot), \(spot)]"), client)
    #expect(ProviderHarness.column("place", of: batches) == ["Spot"])
    #expect(client.requests.count == 1)
  }
}
