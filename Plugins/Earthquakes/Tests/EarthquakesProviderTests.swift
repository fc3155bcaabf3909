import AggregateCore
import AggregateJSON
import AggregateTestSupport
import Testing

@testable import AggregateEarthquakes

@Suite struct EarthquakesProviderTests {
  /// A catalogue of the events `q1`, `q2` … that gives the pages asked for.
  private func catalogue(_ count: Int) -> [RecordedClient.Answer] {
    var answers: [RecordedClient.Answer] = []
    for offset in 1...count + 1 {
      for limit in 1...count + 1 {
        let events = (offset..<max(offset, min(offset + limit, count + 1))).map { number in
          #"{"id":"q\#(number)","properties":{"mag":\#(number).50,"time":1000,"tsunami":1,"x":{}}}"#
        }
        answers.append(
          .to(
            "limit=\(limit)&offset=\(offset)",
            giving: #"{"features":[\#(events.joined(separator: ","))]}"#))
      }
    }
    return answers.reversed()
  }

  private func run(_ yaml: String, _ client: RecordedClient) async throws -> [Batch] {
    try await ProviderHarness.run(
      ProviderHarness.make(EarthquakesProvider.self, "base_url: http://h/v1\n\(yaml)"), client)
  }

  @Test(arguments: ["page_size: 2", "page_size: 3\nlimit: 4", "limit: 5"])
  func obeysTheLawsOfProviders(_ yaml: String) async throws {
    try await checkProvider(
      EarthquakesProvider.self, yaml,
      answers: catalogue(5)
        + RecordedClient.Answer.samples(
          of: EarthquakesProvider.spec),
      empty: [.to("/query", giving: #"{"features":[]}"#)])
  }

  @Test func samplesAnswer() async throws {
    try await checkSamples(
      EarthquakesProvider.self,
      ["", "min_magnitude: 5\nlimit: 2", "latitude: 1\nlongitude: 2\nradius_km: 3"])
  }

  @Test func eventsBecomeRows() async throws {
    let event = #"""
      {"id":"us1","properties":{"mag":4.70,"place":"At sea","time":1709510400123,"url":"http://u",
       "felt":3,"tsunami":0,"status":"reviewed","magType":"mb","type":"earthquake","new":[]},
       "geometry":{"type":"Point","coordinates":[-160.40,54.6,35]}}
      """#
    let rows = try await ProviderHarness.rows(
      ProviderHarness.make(EarthquakesProvider.self, ""),
      RecordedClient([
        .to("offset=1", giving: #"{"features":[\#(event),{"id":"b","properties":{}}]}"#),
        .to("offset=3", giving: #"{"features":[]}"#),
      ]))
    #expect(
      rows == [
        "“us1” | “2024-03-04T00:00:00.123Z” | 4.70 | “mb” | “At sea” | 54.6 | -160.40 | 35"
          + " | “http://u” | 3 | false | “reviewed” | “earthquake”",
        "“b” | null | null | null | null | null | null | null | null | null | null | null | null",
      ])
  }

  @Test(arguments: [
    (limit: 5, page: 2, asked: ["2 1", "2 3", "1 5"]), (limit: 4, page: 2, asked: ["2 1", "2 3"]),
    (limit: 9, page: 3, asked: ["3 1", "3 4", "3 7", "2 8"]), (limit: 0, page: 3, asked: []),
    (limit: 1, page: 7, asked: ["1 1"]),
  ])
  func limitAndPageSizeSayWhatIsAsked(_ limit: Int, _ page: Int, _ asked: [String]) async throws {
    let client = RecordedClient(catalogue(7))
    let batches = try await run("limit: \(limit)\npage_size: \(page)", client)
    #expect(ProviderHarness.column("id", of: batches) == (0..<min(limit, 7)).map { "q\($0 + 1)" })
    let sent = client.requests.map { request in
      let items = Dictionary(request.url.queryItems.map { ($0.name, $0.value) }) { $1 }
      return "\(items["limit"] ?? "") \(items["offset"] ?? "")"
    }
    #expect(sent == asked)
  }

  /// A service that gives at most three events at once, whatever is asked.
  @Test(arguments: [nil, 4, 3], [false, true])
  func serviceThatCapsItsPagesLosesNothing(_ limit: Int?, tells: Bool) async throws {
    let pages = [1, 4, 7, 10, 11].map { first in
      let events = (first..<min(first + 3, 11)).map { #"{"id":"q\#($0)","properties":{}}"# }
      let metadata =
        tells ? #""metadata":{"limit":3,"offset":\#(first),"count":\#(events.count)},"# : ""
      let body = #"{\#(metadata)"features":[\#(events.joined(separator: ","))]}"#
      return RecordedClient.Answer(body: Array(body.utf8)) { request in
        request.url.queryItems.contains { $0.name == "offset" && $0.value == "\(first)" }
      }
    }
    let client = RecordedClient(pages)
    let limited = limit.map { "\nlimit: \($0)" } ?? ""
    let batches = try await run("page_size: 4\(limited)", client)
    #expect(
      ProviderHarness.column("id", of: batches) == (1...(limit ?? 10)).map { "q\($0)" })
  }

  /// The service says how many a page may have: one that has fewer is the last, with nothing more asked.
  @Test func pageThatIsNotFullByTheServicesOwnWordIsTheLast() async throws {
    let events = (1...3).map { #"{"id":"q\#($0)","properties":{}}"# }.joined(separator: ",")
    let client = RecordedClient([
      .to(
        "offset=1",
        giving: #"{"metadata":{"limit":4,"offset":1,"count":3},"features":[\#(events)]}"#)
    ])
    #expect(ProviderHarness.column("id", of: try await run("page_size: 4", client)).count == 3)
    #expect(client.requests.count == 1)
  }

  /// Whatever page is asked for, all events come: no telling whether there are more.
  @Test func serviceThatIgnoresThePagesIsAnAnomaly() async throws {
    let events = (1...7).map { #"{"id":"q\#($0)","properties":{}}"# }.joined(separator: ",")
    let client = RecordedClient([.to("/query", giving: #"{"features":[\#(events)]}"#)])
    let error = await #expect(throws: AggregateError.self) { try await run("", client) }
    #expect(error?.code == .pagination)
    #expect(client.requests.count == 3)
    #expect(ProviderHarness.column("id", of: try await run("limit: 4", client)).count == 4)
  }

  @Test func nothingFoundMayComeWithoutABody() async throws {
    let batches = try await run("", RecordedClient([.to("/query", status: 204, giving: "")]))
    #expect(batches.isEmpty)
  }

  @Test func optionsBecomeTheServicesParameters() async throws {
    let client = RecordedClient([.to("/query", giving: #"{"features":[]}"#)])
    _ = try await run(
      """
      min_magnitude: 4.5
      start: 2024-01-01
      end: 2024-01-02T03:04:05Z
      order: strongest
      box: {south: -10, west: 20.5, north: 30, east: 40}
      """, client)
    _ = try await run("latitude: 1.5\nlongitude: -2\nradius_km: 300\npage_size: 7", client)
    #expect(
      client.requests.map { $0.url.query ?? "" } == [
        "format=geojson&minmagnitude=4.5&starttime=2024-01-01&endtime=2024-01-02T03%3A04%3A05Z"
          + "&minlatitude=-10&minlongitude=20.5&maxlatitude=30&maxlongitude=40"
          + "&orderby=magnitude&limit=2000&offset=1",
        "format=geojson&latitude=1.5&longitude=-2&maxradiuskm=300&orderby=time&limit=7&offset=1",
      ])
  }

  /// A box across the date line is written beyond 180, as the service wants it.
  @Test(arguments: [
    "box: {south: -20, west: 170, north: -10, east: 190}", "start: 2024-01-01\nend: 2024-01-01",
    "latitude: -90\nlongitude: 180\nradius_km: 20001.6",
  ])
  func whatTheServiceTakesIsNoMistake(_ yaml: String) {
    #expect(ProviderHarness.mistakes(EarthquakesProvider.self, yaml).isEmpty)
  }

  @Test func plannedRequestIsTheFirstOneSent() async throws {
    let provider = try ProviderHarness.make(EarthquakesProvider.self, "limit: 1")
    let client = RecordedClient(catalogue(1))
    let context = ProviderContext(
      source: "src", http: client, log: .silent, jobs: 1, emit: { _ in })
    let planned = try provider.plannedRequests(context).map(\.url.description)
    try await provider.rows(context)
    #expect(planned == client.addresses)
  }

  @Test(arguments: [
    ("min_magnitude: strong", "min_magnitude"), ("start: yesterday", "“yesterday” is no time"),
    ("latitude: 1", "either latitude, longitude and radius_km, or a box"),
    ("latitude: 1\nlongitude: 2\nradius_km: 3\nbox: {south: 1, west: 1, north: 2, east: 2}", "box"),
    ("latitude: 91\nlongitude: 1\nradius_km: 1", "“latitude” is not from -90 to 90"),
    ("box: {south: 1}", "north"), ("order: random", "newest"), ("base_url: usgs", "not an address"),
    ("page_size: 20001", "page_size"),
    ("start: 2024-02-01\nend: 2024-01-01", "“start” is after “end”"),
    ("start: 2024-01-01T00:00:01Z\nend: 2024-01-01", "“start” is after “end”"),
    ("box: {south: 2, west: 1, north: 1, east: 2}", "south of the box is above its north"),
    ("box: {south: 1, west: 2, north: 2, east: 1}", "west of the box is beyond its east"),
    ("box: {south: -91, west: 1, north: 2, east: 2}", "“south” is not from -90 to 90"),
    ("box: {south: 1, west: 1, north: 2, east: 361}", "“east” is not from -360 to 360"),
    ("latitude: 1\nlongitude: 181\nradius_km: 1", "“longitude” is not from -180 to 180"),
    ("latitude: 1\nlongitude: 1\nradius_km: -1", "“radius_km” is not from 0 to 20001.6"),
  ])
  func mistakesInTheOptionsAreTold(_ yaml: String, _ part: String) {
    let mistakes = ProviderHarness.mistakes(EarthquakesProvider.self, yaml)
    #expect(mistakes.contains { $0.contains(part) }, "\(mistakes)")
  }

  @Test(arguments: [
    (#"{"hello":1}"#, "http://h/v1/query: the answer has no list “features”"),
    (#"{"error":"too many"}"#, "no list “features”: it says “too many”"),
    (#"{"features":[{"properties":{}}]}"#, #"a record has no “id”: {"properties":{}}"#),
  ])
  func answerOfAnotherServiceIsExplained(_ body: String, _ message: String) async {
    let error = await #expect(throws: AggregateError.self) {
      try await run("", RecordedClient([.to("/query", giving: body)]))
    }
    #expect(error?.code == .badData)
    #expect(error?.message.contains(message.hasPrefix("http") ? "the answer has" : message) == true)
  }
}
