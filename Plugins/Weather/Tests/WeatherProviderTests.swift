import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateWeather

@Suite struct WeatherProviderTests {
  static let spot = "places: [{lat: 51.5, lon: -0.12, name: Spot, country: GB}]"
  static let owm = "service: openweathermap\napi_key: k3y-of-owm"

  func run(
    _ yaml: String, _ answers: [RecordedClient.Answer], scrambles: Bool = false
  ) async throws -> [Batch] {
    try await ProviderHarness.run(
      ProviderHarness.make(WeatherProvider.self, yaml),
      RecordedClient(answers, scrambles: scrambles))
  }

  func failure(
    _ yaml: String, _ answers: [RecordedClient.Answer]
  ) async -> AggregateError? {
    await #expect(throws: AggregateError.self) { try await run(yaml, answers) }
  }

  @Test(arguments: ["current", "forecast", "hourly", "daily"])
  func openMeteoObeysTheLawsOfProviders(_ mode: String) async throws {
    try await checkProvider(
      WeatherProvider.self, "places: [London, \"Paris, FR\", Tokyo]\nmode: \(mode)",
      answers: RecordedClient.Answer.samples(of: WeatherProvider.spec))
  }

  @Test(arguments: ["current", "forecast", "daily"])
  func openWeatherMapObeysTheLawsOfProviders(_ mode: String) async throws {
    try await checkProvider(
      WeatherProvider.self, "\(Self.spot)\n\(Self.owm)\nmode: \(mode)\ndays: 2",
      answers: RecordedClient.Answer.samples(of: WeatherProvider.spec),
      empty: mode == "current"
        ? nil : [.to("/forecast", giving: #"{"cod":"200","cnt":0,"list":[]}"#)])
  }

  @Test func samplesAnswerEveryServiceAndMode() async throws {
    let modes = ["current", "forecast", "hourly", "daily"]
    try await checkSamples(
      WeatherProvider.self, modes.map { "places: [London, \"Paris, FR\", Tokyo]\nmode: \($0)" })
    try await checkSamples(
      WeatherProvider.self,
      ["current", "forecast", "daily"].map {
        "places: London\nservice: openweathermap\napi_key: k\nmode: \($0)"
      })
  }

  @Test func bothServicesHaveTheSameColumns() throws {
    let schemas = try ["open-meteo", "openweathermap"].map { service in
      try ProviderHarness.make(WeatherProvider.self, "\(Self.spot)\nservice: \(service)").schema
    }
    #expect(schemas[0] == schemas[1])
    #expect(schemas[0]?.names == WeatherProvider.columns(.metric, []).map(\.name))
  }

  func meteo(_ part: String, offset: Int = 0) -> RecordedClient.Answer {
    .to("/forecast?", giving: #"{"utc_offset_seconds":\#(offset),\#(part)}"#)
  }

  @Test(arguments: [
    (offset: 32_400, local: "2024-03-01T08:00", time: "2024-02-29T23:00:00Z", date: "2024-03-01"),
    (offset: -21_600, local: "2024-02-29T20:00", time: "2024-03-01T02:00:00Z", date: "2024-02-29"),
    (offset: 34_200, local: "2023-12-31T23:30", time: "2023-12-31T14:00:00Z", date: "2023-12-31"),
    (offset: 20_700, local: "2024-01-01T00:00", time: "2023-12-31T18:15:00Z", date: "2024-01-01"),
    (offset: 0, local: "2024-06-01T12:15", time: "2024-06-01T12:15:00Z", date: "2024-06-01"),
  ])
  func localTimesBecomeUTCAndKeepTheirLocalDate(
    _ offset: Int, _ local: String, _ time: String, _ date: String
  ) async throws {
    let batches = try await run(
      Self.spot,
      [meteo(#""current":{"time":"\#(local)","temperature_2m":1}"#, offset: offset)])
    #expect(ProviderHarness.column("time", of: batches) == [time])
    #expect(ProviderHarness.column("date", of: batches) == [date])
  }

  @Test func hourlyValuesBecomeRows() async throws {
    let batches = try await run(
      "\(Self.spot)\nmode: hourly",
      [
        meteo(
          #"""
          "hourly_units":{"temperature_2m":"°C","wind_speed_10m":"km/h","snowfall":"cm"},
          "hourly":{"time":["2024-03-01T00:00","2024-03-01T01:00"],"temperature_2m":[1.5,null],
          "wind_speed_10m":[36,18],"wind_gusts_10m":[null,null],"snowfall":[0.7,0],
          "weather_code":[61,null]}
          """#, offset: 3600)
      ])
    #expect(
      ProviderHarness.column("time", of: batches)
        == ["2024-02-29T23:00:00Z", "2024-03-01T00:00:00Z"])
    #expect(ProviderHarness.column("temp", of: batches) == ["1.5", nil])
    #expect(ProviderHarness.column("wind_speed", of: batches) == ["10", "5"])
    #expect(ProviderHarness.column("wind_gust", of: batches) == [nil, nil])
    #expect(ProviderHarness.column("snow", of: batches) == ["1", "0"])
    #expect(ProviderHarness.column("condition", of: batches) == ["Rain", nil])
    #expect(ProviderHarness.column("description", of: batches) == ["slight rain", nil])
    #expect(ProviderHarness.column("humidity", of: batches) == [nil, nil])
  }

  @Test func dailyRowsBeginAtLocalMidnight() async throws {
    let batches = try await run(
      "\(Self.spot)\nmode: daily",
      [
        meteo(
          #""daily":{"time":["2024-03-01","2024-03-02"],"temperature_2m_max":[3,4]}"#,
          offset: 32_400)
      ])
    #expect(
      ProviderHarness.column("time", of: batches)
        == ["2024-02-29T15:00:00Z", "2024-03-01T15:00:00Z"])
    #expect(ProviderHarness.column("date", of: batches) == ["2024-03-01", "2024-03-02"])
    #expect(ProviderHarness.column("temp_max", of: batches) == ["3", "4"])
  }

  @Test func olderFieldNamesAreUnderstood() async throws {
    let batches = try await run(
      Self.spot,
      [
        meteo(
          #""current_weather":{"time":"2023-01-01T00:00","temperature":3,"windspeed":36,"winddirection":90,"weathercode":3}"#
        )
      ])
    #expect(ProviderHarness.column("temp", of: batches) == ["3"])
    #expect(ProviderHarness.column("wind_speed", of: batches) == ["10"])
    #expect(ProviderHarness.column("wind_direction", of: batches) == ["90"])
    #expect(ProviderHarness.column("description", of: batches) == ["overcast"])
  }

  @Test(arguments: [
    ("imperial", "50.9", "22.37", "1"), ("standard", "283.65", "10", "25.4"),
    ("metric", "10.5", "10", "25.4"),
  ])
  func valuesComeInTheUnitsAskedFor(
    _ units: String, _ temp: String, _ wind: String, _ rain: String
  ) async throws {
    let batches = try await run(
      "\(Self.spot)\nunits: \(units)",
      [
        meteo(
          #"""
          "current_units":{"temperature_2m":"°C","wind_speed_10m":"m/s","precipitation":"mm"},
          "current":{"time":"2024-01-01T00:00","temperature_2m":10.5,"wind_speed_10m":10,"precipitation":25.4}
          """#)
      ])
    #expect(ProviderHarness.column("temp", of: batches) == [temp])
    #expect(ProviderHarness.column("wind_speed", of: batches) == [wind])
    #expect(ProviderHarness.column("precipitation", of: batches) == [rain])
  }

  @Test func requestNamesModeDaysAndCoordinates() async throws {
    let client = RecordedClient(RecordedClient.Answer.samples(of: WeatherProvider.spec))
    let provider = try ProviderHarness.make(
      WeatherProvider.self, "\(Self.spot)\nmode: daily\ndays: 3")
    _ = try await ProviderHarness.run(provider, client)
    let items = try #require(client.requests.first).url.queryItems
    #expect(items.contains { $0 == ("latitude", "51.5") })
    #expect(items.contains { $0 == ("longitude", "-0.12") })
    #expect(items.contains { $0 == ("forecast_days", "3") })
    #expect(items.contains { $0 == ("timezone", "auto") })
    #expect(items.contains { $0.name == "daily" && $0.value.contains("temperature_2m_mean") })
  }

  @Test(arguments: [
    (
      #"{"error":true,"reason":"Latitude must be in range of -90 to 90°."}"#, "Latitude must be",
      false
    ),
    (
      #"{"error":true,"reason":"Minutely API request limit exceeded. Please try again in one minute."}"#,
      "limit exceeded", true
    ),
  ])
  func errorInAGoodAnswerIsAnError(_ body: String, _ said: String, _ passing: Bool) async {
    let error = await failure(Self.spot, [.to("/forecast", giving: body)])
    #expect(error?.message.hasPrefix("Spot: open-meteo refused: ") == true)
    #expect(error?.message.contains(said) == true)
    #expect(error?.code == (passing ? .unavailable : .rejected))
    #expect((error?.hint?.contains("rate_limit") ?? false) == passing)
  }

  @Test func answerOfAnotherServiceIsExplained() async {
    let error = await failure(Self.spot, [.to("/forecast", giving: #"{"hello":1}"#)])
    #expect(error?.message == #"Spot: open-meteo's answer has no “current”: {"hello":1}"#)
    let air = await failure(
      Self.spot, [.to("/forecast", giving: #"{"current":{"time":"2024-01-01T00:00","pm10":3}}"#)])
    #expect(air?.message == "Spot: open-meteo's “current” has no weather, but pm10")
  }

  @Test func numbersBeyondAllReasonDoNotCrash() async throws {
    let batches = try await run(
      Self.spot,
      [
        meteo(
          #""current":{"time":9223372036854775807,"temperature_2m":1e308,"weather_code":1e300}"#)
      ])
    #expect(ProviderHarness.column("time", of: batches) == [nil])
    _ = try? await run(
      "\(Self.spot)\n\(Self.owm)",
      [
        .to(
          "/weather",
          giving:
            #"{"cod":200,"dt":9223372036854775807,"timezone":-9223372036854775808,"main":{"temp":1}}"#
        )
      ])
  }

  private func place(_ name: String, _ country: String, _ latitude: Int) -> String {
    #"{"name":"\#(name)","country_code":"\#(country)","latitude":\#(latitude),"longitude":1}"#
  }

  private var weatherByLatitude: [RecordedClient.Answer] {
    [30, 20, 10].map { latitude in
      .to(
        "/forecast", "latitude=\(latitude)", after: .milliseconds(latitude),
        giving: #"{"current":{"time":"2024-01-01T00:00","temperature_2m":\#(latitude)}}"#)
    }
  }

  @Test func placesKeepTheirOrderWhateverArrivesFirst() async throws {
    let answers =
      [
        RecordedClient.Answer.to(
          "/search", "name=Slow", after: .milliseconds(60),
          giving: #"{"results":[\#(place("Slow", "AA", 30))]}"#),
        .to("/search", "name=Fast", giving: #"{"results":[\#(place("Fast", "BB", 10))]}"#),
      ] + weatherByLatitude
    let batches = try await run("places: [Slow, {lat: 20, lon: 1}, Fast]", answers)
    #expect(ProviderHarness.column("place", of: batches) == ["Slow", "20.0,1.0", "Fast"])
    #expect(ProviderHarness.column("temp", of: batches) == ["30", "20", "10"])
    #expect(ProviderHarness.column("country", of: batches) == ["AA", nil, "BB"])
  }

  @Test func countryChoosesAmongPlacesOfOneName() async throws {
    let found = #"{"results":[\#(place("Paris", "US", 30)),\#(place("Paris", "FR", 20))]}"#
    let answers = [RecordedClient.Answer.to("/search", giving: found)] + weatherByLatitude
    let first = try await run("places: Paris", answers)
    #expect(ProviderHarness.column("country", of: first) == ["US"])
    let french = try await run("places: [\"Paris, fr\"]", answers)
    #expect(ProviderHarness.column("country", of: french) == ["FR"])
    #expect(ProviderHarness.column("temp", of: french) == ["20"])
    let error = await failure("places: [\"Paris, DE\"]", answers)
    #expect(error?.message == "no place called “Paris, DE” was found by open-meteo")
    #expect(error?.hint == "found in US, FR")
  }

  @Test func unknownPlaceIsNamedAndNoWeatherAskedFor() async throws {
    let client = RecordedClient([.to("/search", giving: #"{"generationtime_ms":0.1}"#)])
    let provider = try ProviderHarness.make(WeatherProvider.self, "places: Nowhereville")
    let error = await #expect(throws: AggregateError.self) {
      try await ProviderHarness.run(provider, client)
    }
    #expect(error?.message == "no place called “Nowhereville” was found by open-meteo")
    #expect(error?.code == .rejected)
    #expect(client.addresses.allSatisfy { $0.contains("/search?") })
  }

  @Test(arguments: [
    ("places: []", "“places” is empty"),
    ("places: [\"Paris, Frankreich\"]", "two letters"),
    ("places: [\"a, b, c\"]", "two letters"),
    ("places: [\"Paris, Frence\"]", "did you mean “France”?"),
    ("places: [\"91,0\"]", "there is no place at 91.0, 0.0"),
    ("places: x\nservice: []", "“service” is empty"),
    ("places: x\npast_days: 3", "“past_days” is for forecasts"),
    ("places: x\nmode: daily\nservice: openweathermap\npast_days: 3", "does not give the past"),
    ("places: x\nextra: [sunrises]", "sunrises"),
    ("places: [\"\"]", "neither a name"),
    ("places: [{lat: 91, lon: 0}]", "there is no place at 91.0, 0.0"),
    ("places: [{lat: 1}]", "lon"),
    ("mode: daily", "places"),
    ("places: x\nmode: monthly", "monthly"),
    ("places: x\nservice: openweathermap\nmode: hourly", "has no hourly forecast"),
    ("places: x\nbase_urls: {open-meteo: nowhere}", "is not an address"),
    ("places: x\ndays: 17", "days"),
  ])
  func mistakesInTheOptionsAreTold(_ yaml: String, _ part: String) {
    let mistakes = ProviderHarness.mistakes(WeatherProvider.self, yaml)
    #expect(mistakes.contains { $0.contains(part) }, "\(mistakes)")
  }

  @Test func misspeltPlaceIsToldWithTheNearestOne() async {
    let error = await failure(
      "places: \"Londn, GB\"",
      [
        .to("name=Londn&", giving: #"{"generationtime_ms":0.1}"#),
        .to(
          "name=Lon&countryCode=GB",
          giving: #"{"results":[\#(place("Lonmay", "GB", 57)),"#
            + #"\#(place("London", "GB", 51))]}"#),
      ])
    #expect(error?.message == "no place called “Londn, GB” was found by open-meteo")
    #expect(error?.hint == "did you mean “London, GB”?")
  }

  @Test func geocodingThatAnswersSomethingElseIsNoMiss() async {
    for body in [#"{"data":{"results":[]}}"#, #"{"results":{"a":1}}"#, "[]"] {
      let error = await failure("places: London", [.to("/search", giving: body)])
      #expect(error?.code == .badData)
      #expect(error?.message.hasPrefix("London: open-meteo's answer has no list “results”") == true)
    }
    let error = await failure(
      "places: London\n\(Self.owm)", [.to("/geo/", giving: #"{"a":1}"#)])
    #expect(
      error?.message.hasPrefix("London: openweathermap's answer is no list of places") == true)
  }

  @Test func numbersAsTextAreReadAndOthersTold() async throws {
    let warnings = Collected()
    let log = RunLog(level: .normal, isStrict: false) { warnings.add("\($0)") }
    let batches = try await ProviderHarness.run(
      ProviderHarness.make(WeatherProvider.self, Self.spot),
      RecordedClient([
        meteo(
          #""current":{"time":"2024-01-01T00:00","temperature_2m":"7.5","precipitation":"wet"}"#)
      ]), log: log)
    log.reportLosses()
    #expect(ProviderHarness.column("temp", of: batches) == ["7.5"])
    #expect(ProviderHarness.column("precipitation", of: batches) == [nil])
    #expect(warnings.lines.contains { $0.contains("precipitation") && $0.contains("Spot") })
  }

  @Test func weatherWithoutATimeIsNone() async {
    let error = await failure(
      "\(Self.spot)\n\(Self.owm)", [.to("/weather", giving: #"{"cod":200,"main":{"temp":1}}"#)])
    #expect(error?.code == .badData)
    #expect(error?.message.hasPrefix("Spot: openweathermap's answer has neither") == true)
  }

  @Test func aDateWhoseReadingsComeApartIsOneRow() async throws {
    let batches = try await run(
      "\(Self.spot)\n\(Self.owm)\nmode: daily",
      [forecast([0, 25, 3, 28].map { (hour: $0, rest: #""main":{"temp":1}"#) })])
    #expect(ProviderHarness.column("date", of: batches) == ["2024-03-01", "2024-03-02"])
  }
}
