import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateWeather

@Suite struct WeatherArchiveTests {
  private static let spot = "places: {lat: 51.5, lon: -0.12, name: Spot}"

  @Test(arguments: ["hourly", "daily"])
  func obeysTheLawsOfProviders(_ mode: String) async throws {
    try await checkProvider(
      WeatherProvider.self,
      "places: London\nmode: \(mode)\nstart: 2024-03-01\nend: 2024-03-03",
      answers: RecordedClient.Answer.samples(of: WeatherProvider.spec),
      empty: [
        .to("geocoding", giving: #"{"results":[{"name":"A","latitude":1,"longitude":2}]}"#),
        .to("/archive", giving: #"{"\#(mode)":{"time":[],"weather_code":[]}}"#),
      ])
  }

  @Test func samplesAnswer() async throws {
    try await checkSamples(
      WeatherProvider.self,
      ["hourly", "daily"].map { "places: London\nmode: \($0)\nstart: 2024-03-01\nend: 2024-03-03" })
  }

  @Test(arguments: [
    ("end: 2024-03-03", "2024-03-03"), ("", "2024-02-28"), ("end: 2024-02-28", "2024-02-28"),
  ])
  func datesAreAskedForOfTheArchive(_ end: String, _ last: String) async throws {
    let client = RecordedClient([
      .to("/archive", giving: #"{"daily":{"time":["2024-02-28"],"weather_code":[0]}}"#)
    ])
    let provider = try ProviderHarness.make(
      WeatherProvider.self, "\(Self.spot)\nmode: daily\nstart: 2024-02-28\n\(end)")
    let context = ProviderContext(
      source: "src", http: client, log: .silent, jobs: 1, emit: { _ in })
    let planned = try provider.plannedRequests(context).map(\.url.description)
    _ = try await ProviderHarness.run(provider, client)
    #expect(planned == client.addresses)
    let url = try #require(client.requests.first).url
    #expect(url.description.hasPrefix("https://archive-api.open-meteo.com/v1/archive?"))
    #expect(url.queryItems.contains { $0 == ("start_date", "2024-02-28") })
    #expect(url.queryItems.contains { $0 == ("end_date", last) })
    #expect(!url.queryItems.contains { $0.name == "forecast_days" })
  }

  @Test(arguments: [
    ("mode: daily\nstart: 2024-03-01\ndays: 3", "“days” is for forecasts"),
    ("mode: daily\nend: 2024-03-01", "“end” is given, but “start” is not"),
    ("mode: daily\nstart: 2024-03-02\nend: 2024-03-01", "(2024-03-01) is before “start”"),
    ("start: 2024-03-01", "for the modes hourly and daily, not for current"),
    ("mode: forecast\nstart: 2024-03-01", "not for forecast"),
    ("mode: daily\nstart: 2024-02-30", "“2024-02-30” is no date"),
    ("mode: daily\nstart: 2024-02-01\nend: March", "“March” is no date"),
    (
      "mode: daily\nstart: 2024-03-01\nservice: openweathermap",
      "openweathermap does not give the past"
    ),
    ("mode: daily\nstart: 2024-03-01\nservice: [open-meteo, openweathermap]", "the past"),
    ("mode: daily\nbase_urls: {archive: nowhere}", "“base_urls.archive” is not an address"),
  ])
  func mistakesInTheOptionsAreTold(_ yaml: String, _ part: String) {
    let mistakes = ProviderHarness.mistakes(WeatherProvider.self, "\(Self.spot)\n\(yaml)")
    #expect(mistakes.count == 1 && mistakes[0].contains(part), "\(mistakes)")
  }

  @Test func refusedDatesNameThePlaceAndTheReason() async throws {
    let reason = "Parameter 'start_date' is out of allowed range from 1940-01-01 to 2024-03-10"
    let provider = try ProviderHarness.make(
      WeatherProvider.self, "\(Self.spot)\nmode: daily\nstart: 1800-01-01")
    let error = await #expect(throws: AggregateError.self) {
      try await ProviderHarness.run(
        provider,
        RecordedClient([.to("/archive", giving: #"{"error":true,"reason":"\#(reason)"}"#)]))
    }
    #expect(error?.message == "Spot: open-meteo refused: \(reason)")
  }

  @Test func subscribersHaveTheirKeyAndHosts() async throws {
    let client = RecordedClient(RecordedClient.Answer.samples(of: WeatherProvider.spec))
    for period in ["mode: current", "mode: daily\nstart: 2024-03-01\nend: 2024-03-03"] {
      let provider = try ProviderHarness.make(
        WeatherProvider.self, "places: London\napi_key: k3y\n\(period)")
      _ = try await ProviderHarness.run(provider, client)
    }
    #expect(
      client.requests.map(\.url.host) == [
        "customer-geocoding-api.open-meteo.com", "customer-api.open-meteo.com",
        "customer-geocoding-api.open-meteo.com", "customer-archive-api.open-meteo.com",
      ])
    for request in client.requests {
      #expect(request.credentials == [.query(name: "apikey", value: "k3y")])
      #expect(!request.url.description.contains("k3y"))
    }
  }

  @Test func hostsThatAreGivenStayForSubscribers() async throws {
    let client = RecordedClient(RecordedClient.Answer.samples(of: WeatherProvider.spec))
    let provider = try ProviderHarness.make(
      WeatherProvider.self, "\(Self.spot)\napi_key: k3y\nbase_urls: {open-meteo: \"http://h/v1\"}")
    _ = try await ProviderHarness.run(provider, client)
    #expect(client.addresses.first?.hasPrefix("http://h/v1/forecast?") == true)
  }
}
