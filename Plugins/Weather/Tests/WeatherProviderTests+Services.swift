import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateWeather

/// Which service is asked, and with what key.
extension WeatherProviderTests {
  @Test func missingKeyIsRefusedBeforeAnythingIsAsked() async throws {
    for key in ["", "api_key: ''"] {
      let client = RecordedClient([.to("/weather", status: 401, giving: "{}")])
      let provider = try ProviderHarness.make(
        WeatherProvider.self, "\(Self.spot)\nservice: openweathermap\n\(key)")
      let error = await #expect(throws: AggregateError.self) {
        try await ProviderHarness.run(provider, client)
      }
      #expect(error?.code == .configuration)
      #expect(error?.message == "openweathermap needs a key, and “api_key” is not set")
      #expect(error?.hint?.contains("https://home.openweathermap.org/api_keys") == true)
      #expect(error?.hint?.contains("api_key: ${OPENWEATHERMAP_KEY}") == true)
      #expect(client.requests.isEmpty)
    }
  }

  @Test(arguments: ["[openweathermap, open-meteo]", "[open-meteo, openweathermap]"])
  func serviceWithoutItsKeyIsLeftOutWhileThereIsAnother(_ services: String) async throws {
    let warnings = Collected()
    let client = RecordedClient([meteo(#""current":{"time":"2024-01-01T00:00","precipitation":7}"#)]
    )
    let batches = try await ProviderHarness.run(
      ProviderHarness.make(WeatherProvider.self, "\(Self.spot)\nservice: \(services)"), client,
      log: RunLog(level: .normal, isStrict: false) { warnings.add("\($0)") })
    #expect(ProviderHarness.column("service", of: batches) == ["open-meteo"])
    #expect(warnings.lines.count == 1)
    #expect(warnings.lines[0].contains("openweathermap is left out"))
    #expect(client.requests.count == 1)
  }

  @Test func samplesNeedNoKey() async throws {
    let provider = try ProviderHarness.make(
      WeatherProvider.self, "\(Self.spot)\nservice: openweathermap")
    let client = RecordedClient(RecordedClient.Answer.samples(of: WeatherProvider.spec))
    let rows = EmittedRows()
    try await provider.rows(
      ProviderContext(source: "src", http: client, log: .silent, jobs: 1, isLive: false) {
        await rows.add($0)
      })
    #expect(await rows.count == 1)
  }

  @Test func keyIsACredentialAndNeverInAnAddress() async throws {
    let client = RecordedClient(RecordedClient.Answer.samples(of: WeatherProvider.spec))
    let provider = try ProviderHarness.make(
      WeatherProvider.self, "places: [London, {lat: 35.68, lon: 139.69}]\n\(Self.owm)")
    _ = try await ProviderHarness.run(provider, client)
    let context = ProviderContext(
      source: "src", http: client, log: .silent, jobs: 1, emit: { _ in })
    let requests = try provider.plannedRequests(context) + client.requests
    #expect(requests.count == 5)
    for request in requests {
      #expect(!request.url.description.contains("k3y-of-owm"))
      #expect(request.credentials == [.query(name: "appid", value: "k3y-of-owm")])
    }
  }

  @Test func nextServiceIsAskedWhenOneFails() async throws {
    let warnings = Collected()
    let provider = try ProviderHarness.make(
      WeatherProvider.self,
      "\(Self.spot)\nservice: [openweathermap, open-meteo]\napi_key: k3y-of-owm")
    let client = RecordedClient([
      .to("/data/2.5/weather", status: 401, giving: #"{"cod":401,"message":"Invalid API key"}"#),
      meteo(#""current":{"time":"2024-01-01T00:00","temperature_2m":7}"#),
    ])
    let batches = try await ProviderHarness.run(
      provider, client, log: RunLog(level: .normal, isStrict: false) { warnings.add("\($0)") })
    #expect(ProviderHarness.column("service", of: batches) == ["open-meteo"])
    #expect(warnings.lines.count == 1)
    #expect(warnings.lines[0].contains("src: Spot: openweathermap failed, asking open-meteo: "))
    #expect(client.requests[1].credentials.isEmpty)
  }

  @Test func lastServicesFailureIsTheOneTold() async {
    let error = await failure(
      "\(Self.spot)\nservice: [openweathermap, open-meteo]", [.to("/none", giving: "")])
    #expect(error?.message.contains("api.open-meteo.com") == true)
    #expect(error?.message.hasPrefix("Spot: ") == true)
  }
}

/// Counts rows.
private actor EmittedRows {
  var count = 0

  func add(_ work: Work) {
    if case .batch(let batch) = work { count += batch.rowCount }
  }
}
