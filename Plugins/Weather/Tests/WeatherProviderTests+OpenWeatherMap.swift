import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateWeather

/// What OpenWeatherMap answers, and what becomes of it.
extension WeatherProviderTests {
  func weather(_ rest: String, offset: Int = 0) -> RecordedClient.Answer {
    .to(
      "/data/2.5/weather",
      giving:
        #"{"cod":200,"dt":1709251200,"timezone":\#(offset),"main":{"temp":1,"humidity":50}\#(rest)}"#
    )
  }

  func owm(_ rest: String, offset: Int = 0) async throws -> [Batch] {
    try await run("\(Self.spot)\n\(Self.owm)", [weather(rest, offset: offset)])
  }

  @Test(arguments: [
    (32_400, "2024-03-01"), (-21_600, "2024-02-29"), (19_800, "2024-03-01"), (-1, "2024-02-29"),
    (0, "2024-03-01"),
  ])
  func openWeatherMapsDateIsThatOfThePlace(_ offset: Int, _ date: String) async throws {
    let batches = try await owm("", offset: offset)
    #expect(ProviderHarness.column("time", of: batches) == ["2024-03-01T00:00:00Z"])
    #expect(ProviderHarness.column("date", of: batches) == [date])
  }

  @Test(arguments: [
    ("", nil, nil), (#","rain":{}"#, nil, nil), (#","rain":null,"snow":null"#, nil, nil),
    (#","rain":{"1h":0.5}"#, "0.5", nil), (#","rain":{"3h":1.5}"#, "1.5", nil),
    (#","rain":2"#, "2", nil), (#","rain":"none""#, nil, nil), (#","rain":[]"#, nil, nil),
    (#","snow":{"3h":1}"#, "1", "1"), (#","rain":{"1h":0.5},"snow":{"1h":0.25}"#, "0.75", "0.25"),
  ])
  func rainAndSnowComeInManyForms(_ part: String, _ sum: String?, _ snow: String?) async throws {
    let batches = try await owm(part)
    #expect(ProviderHarness.column("precipitation", of: batches) == [sum])
    #expect(ProviderHarness.column("snow", of: batches) == [snow])
  }

  @Test func missingPartsAreNull() async throws {
    let batches = try await owm("")
    for name in ["wind_speed", "wind_gust", "wind_direction", "clouds", "feels_like", "condition"] {
      #expect(ProviderHarness.column(name, of: batches) == [nil])
    }
    #expect(ProviderHarness.column("humidity", of: batches) == ["50"])
    let object = try await owm(#","weather":{"main":"Fog","description":"mist"}"#)
    #expect(ProviderHarness.column("condition", of: object) == ["Fog"])
  }

  @Test(arguments: ["404", #""404""#])
  func notFoundInAGoodAnswerIsAnError(_ cod: String) async {
    let error = await failure(
      "\(Self.spot)\n\(Self.owm)",
      [.to("/weather", giving: #"{"cod":\#(cod),"message":"city not found"}"#)])
    #expect(error?.message == "Spot: openweathermap refused with 404: city not found")
    #expect(error?.code == .rejected)
    #expect(
      error?.hint == "it has no weather there: check the name, or the lat and lon, in “places”")
  }

  @Test(arguments: [
    (401, AggregateError.Code.rejected, "the key is wrong"), (429, .unavailable, "over its quota"),
    (404, .rejected, "it has no weather there"),
  ])
  func refusalHasAHint(_ status: Int, _ code: AggregateError.Code, _ hint: String) async {
    let error = await failure(
      "\(Self.spot)\n\(Self.owm)",
      [.to("/weather", status: status, giving: #"{"cod":\#(status),"message":"no"}"#)])
    #expect(error?.code == code)
    #expect(error?.status == status)
    #expect(error?.hint?.contains(hint) == true)
    #expect(error?.message.contains("k3y-of-owm") == false)
  }

  func forecast(_ hours: [(hour: Int, rest: String)], offset: Int = 0)
    -> RecordedClient.Answer
  {
    let list = hours.map { #"{"dt":\#(1_709_251_200 + $0.hour * 3600),\#($0.rest)}"# }
    return .to(
      "/data/2.5/forecast",
      giving:
        #"{"cod":"200","list":[\#(list.joined(separator: ","))],"city":{"timezone":\#(offset)}}"#)
  }

  @Test func dayIsSummarizedByTheRule() async throws {
    let answer = forecast([
      (
        0,
        #""main":{"temp":2,"temp_min":1,"temp_max":3,"humidity":80,"pressure":1000},"wind":{"speed":2,"deg":10,"gust":4},"clouds":{"all":100},"weather":[{"main":"Rain","description":"night rain"}],"rain":{"3h":1.25}"#
      ),
      (
        12,
        #""main":{"temp":9,"temp_min":8,"temp_max":11.5,"humidity":50,"pressure":1010},"wind":{"speed":7,"deg":200},"clouds":{"all":0},"weather":[{"main":"Clear","description":"noon sun"}],"snow":{"3h":0.5}"#
      ),
      (
        21,
        #""main":{"temp":4,"humidity":65,"pressure":1005},"wind":{"speed":5,"deg":300},"clouds":{"all":51}"#
      ),
      (24, #""main":{"temp":30}"#),
    ])
    let batches = try await run("\(Self.spot)\n\(Self.owm)\nmode: daily", [answer])
    let first = batches.map { $0.sliced(0..<1) }
    func value(_ name: String) -> String? { ProviderHarness.column(name, of: first)[0] }
    #expect(ProviderHarness.column("date", of: batches) == ["2024-03-01", "2024-03-02"])
    #expect(value("temp") == "5")
    #expect(value("temp_min") == "1")
    #expect(value("temp_max") == "11.5")
    #expect(value("humidity") == "65")
    #expect(value("pressure") == "1005")
    #expect(value("wind_speed") == "7")
    #expect(value("wind_direction") == "200")
    #expect(value("wind_gust") == "4")
    #expect(value("clouds") == "50.33")
    #expect(value("precipitation") == "1.75")
    #expect(value("snow") == "0.5")
    #expect(value("description") == "noon sun")
  }

  @Test func daysAreCutAtLocalMidnight() async throws {
    let hours = (0..<8).map { (hour: $0 * 3, rest: #""main":{"temp":\#($0)}"#) }
    let batches = try await run(
      "\(Self.spot)\n\(Self.owm)\nmode: daily", [forecast(hours, offset: -21_600)])
    #expect(ProviderHarness.column("date", of: batches) == ["2024-02-29", "2024-03-01"])
    #expect(
      ProviderHarness.column("time", of: batches)
        == ["2024-02-29T06:00:00Z", "2024-03-01T06:00:00Z"])
    #expect(ProviderHarness.column("temp", of: batches) == ["0.5", "4.5"])
    let one = try await run(
      "\(Self.spot)\n\(Self.owm)\nmode: daily\ndays: 1", [forecast(hours, offset: -21_600)])
    #expect(ProviderHarness.column("date", of: one) == ["2024-02-29"])
  }
}
