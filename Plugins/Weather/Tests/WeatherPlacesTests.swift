import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateWeather

/// Places that are one, places that share a name, and what helps when there is none.
@Suite struct WeatherPlacesTests {
  private static let london = WeatherHarness.place("London", "GB", "England", 51.50853, -0.12574)
  private static let days =
    #""time":["2024-03-01","2024-03-02"],"temperature_2m_max":[1,2]"#

  private func client(_ places: [String: String]) -> RecordedClient {
    RecordedClient(WeatherHarness.geocoding(places) + [WeatherHarness.daily(Self.days)])
  }

  @Test(arguments: [
    (#"[London, "London, GB"]"#, "London", 1), ("[London, london]", "London", 0),
    (#"["London, UK", London, "London, United Kingdom"]"#, "London", 1),
    ("[{lat: 51.5, lon: -0.12, name: Home}, London]", "Home", 1),
    ("[London, {lat: 51.5, lon: -0.12, name: Home}]", "London", 1),
    ("[{lat: 51.5, lon: -0.12, name: A}, {lat: 51.50, lon: -0.12, name: B}]", "A", 0),
    (#"["51.5,-0.12", "51.50, -0.12"]"#, "51.5,-0.12", 0),
    (#"[London, "Londres, GB"]"#, "London", 1),
  ])
  func eachPlaceAndLocalDateHasOneRow(
    _ places: String, _ name: String, _ toldInTheRun: Int
  ) async throws {
    for jobs in [1, 3, 8] {
      let (batches, told) = try await WeatherHarness.run(
        "places: \(places)\nmode: daily",
        client(["London": Self.london, "london": Self.london, "Londres": Self.london]), jobs: jobs)
      #expect(ProviderHarness.column("place", of: batches) == [name, name])
      #expect(ProviderHarness.column("date", of: batches) == ["2024-03-01", "2024-03-02"])
      #expect(told.count == toldInTheRun)
      #expect(told.allSatisfy { $0.contains("twice") && $0.hasSuffix("; it is read once") })
    }
  }

  @Test(arguments: [
    (["London", "london"], "“places” names London twice, the second time as london"),
    (["London, UK", "London, gb"], "“places” names London, GB twice"),
    (["51.5,-0.12", "51.50, -0.12"], "twice, the second time as 51.50,-0.12"),
  ])
  func whatIsDeclaredTwiceIsToldBeforeAnythingIsAsked(_ places: [String], _ told: String) {
    let place = SourceLocation(file: "sources.yaml", line: 1, column: 1)
    var diagnostics = Diagnostics()
    let found = WeatherProvider.places(
      places.map { Node.text($0, at: place, plain: true) }, &diagnostics)
    #expect(found.count == 1)
    #expect(diagnostics.all.map(\.severity) == [.warning])
    #expect(diagnostics.all.first?.message.hasSuffix(told) == true, "\(diagnostics.all)")
  }

  @Test func coordinatesThatAreDeclaredAreMeantAsTheyAre() async throws {
    let (batches, told) = try await WeatherHarness.run(
      "places: [{lat: 46.5, lon: 8, name: Valley}, {lat: 46.505, lon: 8, name: Peak}]\nmode: daily",
      client([:]))
    #expect(ProviderHarness.column("place", of: batches) == ["Valley", "Valley", "Peak", "Peak"])
    #expect(told.isEmpty)
  }

  @Test func theFirstNameStaysWhicheverIsFoundFirst() async throws {
    let answers = [
      RecordedClient.Answer.to(
        "name=München&", after: .milliseconds(80),
        giving: #"{"results":[\#(WeatherHarness.place("Munich", "DE", nil, 48.14, 11.58))]}"#),
      .to(
        "name=Munich&",
        giving: #"{"results":[\#(WeatherHarness.place("Munich", "DE", nil, 48.14, 11.58))]}"#),
      WeatherHarness.daily(Self.days),
    ]
    let (batches, told) = try await WeatherHarness.run(
      "places: [München, Munich]\nmode: daily", answers)
    #expect(ProviderHarness.column("place", of: batches) == ["München", "München"])
    #expect(
      told == [
        "warning: src: “places” names München, DE twice, the second time as Munich; it is read once"
      ])
  }

  private static let springfields = [
    WeatherHarness.place("Springfield", "US", "Illinois", 39.8, -89.64),
    WeatherHarness.place("Springfield", "US", "Missouri", 37.2, -93.29),
  ].joined(separator: ",")

  private static let parises = [
    WeatherHarness.place("Paris", "FR", "Île-de-France", 48.85, 2.35),
    WeatherHarness.place("Paris", "US", "Texas", 33.66, -95.55),
  ].joined(separator: ",")

  /// The keys of rows by the rule that the README gives for merging.
  private func keys(_ yaml: String, _ answers: [RecordedClient.Answer]) async throws -> [[String?]]
  {
    let batches = try await WeatherHarness.run(yaml, answers).batches
    let columns = ["place", "country", "date"].map { ProviderHarness.column($0, of: batches) }
    return (0..<(columns.first?.count ?? 0)).map { row in columns.map { $0[row] } }
  }

  @Test(arguments: [
    (
      #"["Springfield, IL, US", "Springfield, Missouri, US"]"#,
      ["Springfield, IL", "Springfield, MO"]
    ),
    (#"["Paris, FR", "Paris, TX, US"]"#, ["Paris", "Paris, TX"]),
    (#"["Paris, France", "Paris, Texas"]"#, ["Paris", "Paris, TX"]),
    (#"["10115, DE", "12043, DE"]"#, ["10115", "12043"]),
  ])
  func mergingLosesNoPlaceAndHasEachOnce(_ places: String, _ names: [String]) async throws {
    let berlins = (
      WeatherHarness.place("Berlin", "DE", nil, 52.53, 13.38),
      WeatherHarness.place("Berlin", "DE", nil, 52.48, 13.43)
    )
    let meteo =
      WeatherHarness.geocoding([
        "Springfield": Self.springfields, "Paris": Self.parises, "10115": berlins.0,
        "12043": berlins.1,
      ]) + [WeatherHarness.daily(#""time":["2024-03-01"],"temperature_2m_max":[1]"#)]
    func found(_ name: String, _ country: String, _ state: String, _ latitude: Double) -> String {
      #"[{"name":"\#(name) City","country":"\#(country)","state":"\#(state)","lat":\#(latitude),"lon":1}]"#
    }
    let owm: [RecordedClient.Answer] = [
      .to("q=Springfield,IL,US", giving: found("Springfield", "US", "Illinois", 39)),
      .to("q=Springfield,MO,US", giving: found("Springfield", "US", "Missouri", 37)),
      .to("q=Paris,FR", giving: found("Paris", "FR", "Ile-de-France", 48)),
      .to("q=Paris,TX,US", giving: found("Paris", "US", "Texas", 33)),
      .to(
        "zip=10115,DE",
        giving: #"{"zip":"10115","name":"Berlin","lat":52.53,"lon":13.38,"country":"DE"}"#),
      .to(
        "zip=12043,DE",
        giving: #"{"zip":"12043","name":"Berlin","lat":52.48,"lon":13.43,"country":"DE"}"#),
      .to(
        "/data/2.5/forecast",
        giving: #"{"cod":"200","list":[{"dt":1709251200,"main":{"temp":1}}],"city":{"timezone":0}}"#
      ),
    ]
    let one = try await keys("places: \(places)\nmode: daily", meteo)
    let other = try await keys("places: \(places)\nmode: daily\n\(WeatherProviderTests.owm)", owm)
    #expect(one.map { $0[0] } == names)
    #expect(one == other)
    #expect(Set(one).count == names.count)
  }

  @Test func placesThatRowsCallAlikeAreTold() async throws {
    let (batches, told) = try await WeatherHarness.run(
      "places: [{lat: 1, lon: 2, name: Hut}, {lat: 50, lon: 60, name: hut}]\nmode: daily",
      client([:]))
    #expect(ProviderHarness.column("place", of: batches) == ["Hut", "Hut", "hut", "hut"])
    #expect(told.count == 1)
    #expect(told.first?.contains("two places are called “hut”") == true)
  }

  @Test func bothServicesTellTheRegion() async throws {
    for (service, answers) in [
      (
        "", WeatherHarness.geocoding(["London": Self.london]) + [WeatherHarness.daily(Self.days)]
      ),
      (
        WeatherProviderTests.owm,
        [
          .to(
            "/direct",
            giving: #"[{"name":"London","country":"GB","state":"England","lat":51,"lon":0}]"#),
          .to("/forecast", giving: #"{"list":[{"dt":1709251200,"main":{"temp":1}}]}"#),
        ]
      ),
    ] as [(String, [RecordedClient.Answer])] {
      let batches = try await WeatherHarness.run(
        "places: London\nmode: daily\nextra: region\n\(service)", answers
      ).batches
      #expect(ProviderHarness.column("region", of: batches).first == "England")
    }
  }

  // MARK: What is asked, and what helps

  @Test(arguments: [
    ("10115, DE", "/geo/1.0/zip", "zip", "10115,DE"),
    ("SW1A 1AA, UK", "/geo/1.0/zip", "zip", "SW1A 1AA,GB"),
    ("1012 AB, NL", "/geo/1.0/zip", "zip", "1012 AB,NL"),
    ("6th of October, EG", "/geo/1.0/direct", "q", "6th of October,EG"),
    ("10115", "/geo/1.0/direct", "q", "10115"),
    ("Austin, Texas", "/geo/1.0/direct", "q", "Austin,TX,US"),
  ])
  func openWeatherMapIsAskedForCodesAsItDocuments(
    _ place: String, _ path: String, _ name: String, _ value: String
  ) async throws {
    let provider = try ProviderHarness.make(
      WeatherProvider.self, "places: [\"\(place)\"]\n\(WeatherProviderTests.owm)")
    let url = try #require(
      try provider.plannedRequests(
        ProviderContext(
          source: "src", http: RecordedClient([]), log: .silent, jobs: 1, emit: { _ in })
      ).first
    ).url
    #expect(url.path == path)
    #expect(url.queryItems.first.map { $0 == (name, value) } == true)
  }

  @Test(arguments: [
    ("99999, DE", 404, #"{"cod":"404","message":"not found"}"#, "check the spelling"),
    ("10115", 200, "[]", "with its country, as in “10115, DE”"),
  ])
  func aPostalCodeThatIsNotFoundIsNoFailureOfTheService(
    _ place: String, _ status: Int, _ body: String, _ hint: String
  ) async {
    let error = await WeatherHarness.failure(
      "places: [\"\(place)\"]\n\(WeatherProviderTests.owm)",
      [.to("/geo/", status: status, giving: body)])
    #expect(error?.message == "no place called “\(place)” was found by openweathermap")
    #expect(error?.hint?.contains(hint) == true, "\(error?.hint ?? "")")
  }

  @Test(arguments: [
    ("Lodnon", "did you mean “London, GB”?"), ("Olndon", "did you mean “London, GB”?"),
    ("Londno", "did you mean “London, GB”?"), ("Nowhereville", "check the spelling"),
    ("Chicago, IL", "“IL” is Israel; for Illinois write “Chicago, IL, US”"),
  ])
  func whatIsNotFoundHasAHint(_ place: String, _ hint: String) async {
    let error = await WeatherHarness.failure(
      "places: [\"\(place)\"]",
      WeatherHarness.geocoding(["Lon": Self.london]))
    #expect(error?.message == "no place called “\(place)” was found by open-meteo")
    #expect(error?.hint?.contains(hint) == true, "\(error?.hint ?? "")")
  }
}
