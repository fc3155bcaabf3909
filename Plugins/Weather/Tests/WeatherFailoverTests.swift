import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

@testable import AggregateWeather

/// A service that fails for good, one that says nothing, and how much of that is told.
@Suite struct WeatherFailoverTests {
  private static let owm = RecordedClient.Answer.to(
    "/data/2.5/", giving: #"{"cod":200,"dt":1704067200,"main":{"temp":1}}"#)
  private static let owmDays = RecordedClient.Answer.to(
    "/data/2.5/forecast", giving: #"{"list":[{"dt":1704067200,"main":{"temp":1}}]}"#)
  private static let spots =
    "places: [\((0..<45).map { "{lat: \($0), lon: 1, name: P\($0)}" }.joined(separator: ", "))]"

  // MARK: Nothing at all

  static let nothing = [
    "[]", #"{"daily":{"time":[],"weather_code":[]}}"#,
    #"{"utc_offset_seconds":0,"daily":{"time":[],"temperature_2m_max":[]}}"#,
  ]

  @Test(arguments: nothing)
  func anEmptyAnswerHasTheNextServiceAsked(_ body: String) async throws {
    let (batches, told) = try await WeatherHarness.run(
      "\(WeatherProviderTests.spot)\n\(WeatherHarness.both)\nmode: daily",
      [.to("/v1/forecast", giving: body), Self.owmDays])
    #expect(ProviderHarness.column("service", of: batches) == ["openweathermap"])
    #expect(told.count == 1)
    #expect(
      told.first?.contains(
        "Spot: open-meteo failed, asking openweathermap: its answer has no rows")
        == true)
  }

  @Test(arguments: nothing.map { ("/v1/forecast", $0) } + [("/data/", #"{"cod":"200","list":[]}"#)])
  func aPlaceHasARowOrAMessage(_ path: String, _ body: String) async throws {
    let service = path == "/data/" ? WeatherProviderTests.owm : ""
    let (batches, told) = try await WeatherHarness.days(.to(path, giving: body), service)
    #expect(batches.isEmpty)
    #expect(told.count == 1)
    #expect(told.first?.contains("Spot: open") == true)
    #expect(told.first?.contains("its answer has no rows") == true)
  }

  // MARK: Failures that last

  @Test(arguments: [
    (401, #"{"cod":401,"message":"Invalid API key"}"#), (403, "{}"), (503, "{}"),
    (429, #"{"cod":429,"message":"Your account is temporary blocked"}"#), (429, "{}"),
  ])
  func aServiceThatFailsForGoodIsLeftOutWithOneWarning(_ status: Int, _ body: String) async throws {
    let client = RecordedClient([
      .to("/data/2.5/", status: status, giving: body),
      .to("/forecast", giving: #"{"current":{"time":"2024-01-01T00:00","temperature_2m":1}}"#),
    ])
    let (batches, told) = try await WeatherHarness.run(
      "\(Self.spots)\nservice: [openweathermap, open-meteo]\napi_key: k3y-of-owm", client, jobs: 4)
    #expect(
      ProviderHarness.column("service", of: batches) == Array(repeating: "open-meteo", count: 45))
    #expect(client.addresses.filter { $0.contains("/data/2.5/") }.count <= 4)
    #expect(told.count == 1, "\(told)")
    #expect(told.first?.hasSuffix("; it is not asked again in this run") == true)
  }

  @Test func aFailureOfOnePlaceLeavesNoServiceOut() async throws {
    let client = RecordedClient([
      .to("lat=2.0", status: 500, giving: "{}"), Self.owm,
      .to("/forecast", giving: #"{"current":{"time":"2024-01-01T00:00","temperature_2m":1}}"#),
    ])
    let (batches, told) = try await WeatherHarness.run(
      "places: [{lat: 1, lon: 1}, {lat: 2, lon: 1}, {lat: 3, lon: 1}]\n"
        + "service: [openweathermap, open-meteo]\napi_key: k3y-of-owm", client, jobs: 1)
    #expect(
      ProviderHarness.column("service", of: batches)
        == ["openweathermap", "open-meteo", "openweathermap"])
    #expect(told.count == 1)
  }

  @Test func aWrongKeyOfTheOnlyServiceIsSentOnce() async throws {
    let client = RecordedClient([.to("/data/2.5/", status: 401, giving: "{}")])
    let tally = SourceTally()
    let provider = try ProviderHarness.make(
      WeatherProvider.self, "\(Self.spots)\n\(WeatherProviderTests.owm)")
    let batches = try await ProviderHarness.run(
      provider, client, jobs: 1, errorPolicy: .partial, tally: tally)
    #expect(batches.isEmpty)
    #expect(client.requests.count == 1)
  }

  /// Answers by a function, with the verdict of the request's judge, as the transport has it.
  private final class Judged: HTTPClient {
    let requests = Mutex<[HTTPRequest]>([])
    let answer: @Sendable (WebURL) -> (status: Int, body: String)

    init(_ answer: @escaping @Sendable (WebURL) -> (status: Int, body: String)) {
      self.answer = answer
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      for _ in 0..<4 {
        requests.withLock { $0.append(request) }
        let (status, body) = answer(request.url)
        let response = HTTPResponse(
          status: status, headers: [], body: ByteBuffer(Array(body.utf8)), url: request.url,
          fetchedAt: Instant(microseconds: 0))
        switch request.judge?(response) ?? (status < 400 ? .accept : .retry(message: nil)) {
        case .accept: return response
        case .retry, .renew: continue
        case .fail:
          throw AggregateError(
            .unavailable, "GET \(request.url) answered \(status): \(body)", status: status)
        }
      }
      throw AggregateError(.unavailable, "GET \(request.url) answered 4 times", status: 503)
    }
  }

  @Test(arguments: [
    (503, "{}", true, 2), (503, "{}", false, 4), (429, "{}", true, 1), (429, "{}", false, 4),
    (429, #"{"error":true,"reason":"Daily API request limit exceeded."}"#, false, 1),
    (429, #"{"error":true,"reason":"Minutely API request limit exceeded."}"#, false, 4),
  ])
  func aServiceIsTriedAsOftenAsItHelps(
    _ status: Int, _ body: String, _ hasOther: Bool, _ tries: Int
  ) async throws {
    let client = Judged { url in
      url.authority.contains("open-meteo")
        ? (status, body) : (200, #"{"cod":200,"dt":1704067200,"main":{"temp":1}}"#)
    }
    let yaml = "\(WeatherProviderTests.spot)\n\(hasOther ? WeatherHarness.both : "")"
    _ = try? await WeatherHarness.run(yaml, client)
    let asked = client.requests.withLock { $0 }.filter { $0.url.authority.contains("open-meteo") }
    #expect(asked.count == tries)
  }

  /// Never answers for Open-Meteo, once a request has gone out.
  private struct Hanging: HTTPClient {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      if request.url.authority.contains("open-meteo") {
        request.onStart?()
        try await Task.sleep(for: .seconds(60))
      }
      return try await RecordedClient([WeatherFailoverTests.owm]).send(request)
    }
  }

  @Test func aServiceThatHangsIsNotWaitedForWhileThereIsAnother() async throws {
    let start = ContinuousClock.now
    let (batches, told) = try await WeatherHarness.run(
      "\(Self.spots)\n\(WeatherHarness.both)", Hanging(), patience: .milliseconds(200))
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(Set(ProviderHarness.column("service", of: batches)) == ["openweathermap"])
    #expect(ProviderHarness.column("place", of: batches).count == 45)
    #expect(told.count == 1, "\(told)")
    #expect(told.first?.contains("no answer within") == true)
  }

  @Test func aWaitBeforeARequestGoesOutIsNoSilenceOfTheService() async throws {
    struct Limited: HTTPClient {
      func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await Task.sleep(for: .milliseconds(2500))
        request.onStart?()
        return try await RecordedClient([
          .to("/forecast", giving: #"{"current":{"time":"2024-01-01T00:00","temperature_2m":1}}"#)
        ]).send(request)
      }
    }
    let (batches, told) = try await WeatherHarness.run(
      "\(WeatherProviderTests.spot)\n\(WeatherHarness.both)", Limited(),
      patience: .seconds(2))
    #expect(ProviderHarness.column("service", of: batches) == ["open-meteo"])
    #expect(told.isEmpty)
  }

  @Test(arguments: [
    ("", 20), ("timeout: 90s", 90), ("timeout: { total: 2m }", 120), ("timeout: { stall: 5s }", 20),
  ])
  func patienceIsTheTimeoutThatIsDeclared(_ yaml: String, _ seconds: Int) throws {
    let provider = try ProviderHarness.make(
      WeatherProvider.self, "\(WeatherProviderTests.spot)\n\(yaml)")
    #expect((provider as? WeatherProvider)?.patience == .seconds(seconds))
  }

  @Test func thePlanNamesAllServicesInTheirOrder() throws {
    let provider = try ProviderHarness.make(
      WeatherProvider.self, "\(WeatherProviderTests.spot)\n\(WeatherHarness.both)")
    #expect(
      provider.plan.services
        == ["open-meteo (api.open-meteo.com)", "openweathermap (api.openweathermap.org)"])
    let one = try ProviderHarness.make(WeatherProvider.self, WeatherProviderTests.spot)
    #expect(one.plan.services.isEmpty)
  }

  @Test func aLossThatEndsAStrictRunIsNoFailureOfTheService() async {
    let client = RecordedClient([
      .to("/v1/forecast", giving: #"{"current":{"time":"x","temperature_2m":1}}"#), Self.owm,
    ])
    let error = await #expect(throws: AggregateError.self) {
      try await WeatherHarness.run(
        "\(WeatherProviderTests.spot)\n\(WeatherHarness.both)", client, isStrict: true)
    }
    #expect(error?.message.contains("column “time”") == true)
    #expect(client.requests.count == 1)
  }

  // MARK: What is said

  @Test func theReasonIsNotBehindALongAddress() async {
    let error = await WeatherHarness.failure(
      WeatherProviderTests.spot, [.to("/forecast", status: 400, giving: "Parameter is wrong")])
    #expect(
      error?.message
        == "Spot: GET https://api.open-meteo.com/v1/forecast answered 400: Parameter is wrong")
  }

  @Test(arguments: [
    ("", "{\n  \"hello\":\n 1\n}"), ("", #"{"error":true,"reason":"one\ntwo"}"#),
    (WeatherProviderTests.owm, #"{"cod":401,"message":"one\ntwo"}"#),
    (WeatherProviderTests.owm, "{\n \"list\": [\n {} ] }"), (WeatherProviderTests.owm, "{\n}"),
  ])
  func errorsAreOneLine(_ service: String, _ body: String) async {
    let error = await WeatherHarness.failure(
      "\(WeatherProviderTests.spot)\n\(service)", [.to("/", giving: body)])
    #expect(error?.message.contains("\n") == false)
    #expect(error?.hint?.contains("\n") == false)
  }

  @Test func aRefusedKeyNamesTheOptionThatThereIs() async {
    for key in ["", "\napi_key: k3y"] {
      let error = await WeatherHarness.failure(
        WeatherProviderTests.spot + key, [.to("/forecast", status: 401, giving: "{}")])
      #expect(error?.hint?.contains("“api_key”") == true, "\(error?.hint ?? "")")
      #expect(error?.hint?.contains("auth:") == false)
    }
  }

  @Test(
    arguments: [
      ("mode: daily\ndays: 16", 40, "5 of the 16"), ("mode: daily\ndays: 7", 40, "5 of the 7"),
      ("mode: forecast\ndays: 7", 40, "5 of the 7"), ("mode: daily\ndays: 5", 40, nil),
      ("mode: forecast\ndays: 5", 40, nil), ("mode: forecast\ndays: 2", 3, "1 of the 2"),
      ("mode: daily", 40, nil),
    ] as [(String, Int, String?)])
  func fewerDaysThanAskedForAreTold(_ yaml: String, _ count: Int, _ words: String?) async throws {
    let items = (0..<count).map { #"{"dt":\#(1_704_067_200 + $0 * 10_800),"main":{"temp":1}}"# }
    let (_, told) = try await WeatherHarness.run(
      "\(WeatherProviderTests.spot)\n\(WeatherProviderTests.owm)\n\(yaml)",
      [.to("/forecast", giving: #"{"list":[\#(items.joined(separator: ","))]}"#)])
    #expect(told.count == (words == nil ? 0 : 1), "\(told)")
    if let words {
      let parts = words.split(separator: " ")
      #expect(told.first?.contains("has \(parts[0]) day") == true, "\(told)")
      #expect(told.first?.contains("of the \(parts[3]) that are asked for") == true)
    }
  }
}
