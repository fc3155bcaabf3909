import AggregateCore
import AggregateTestSupport
import AggregateTransport
import Testing

@testable import AggregatePokemon

@Suite struct PokemonProviderTests {
  let base = "base_url: http://h/api"

  func rows(
    _ yaml: String, _ client: RecordedClient = PokemonService().client()
  ) async throws -> [String] {
    try await ProviderHarness.rows(
      ProviderHarness.make(PokemonProvider.self, "\(base)\n\(yaml)"), client)
  }

  func failure(
    _ yaml: String, _ client: RecordedClient = PokemonService().client()
  ) async -> AggregateError? {
    await #expect(throws: AggregateError.self) { try await rows(yaml, client) }
  }

  @Test(arguments: ["", "detail: true", "names: [mon-2, 5]\ndetail: true", "page_size: 2"])
  func obeysTheLawsOfProviders(_ yaml: String) async throws {
    let empty =
      yaml.contains("names")
      ? nil : [RecordedClient.Answer.to("/pokemon", giving: #"{"next":null,"results":[]}"#)]
    try await checkProvider(
      PokemonProvider.self, "\(base)\n\(yaml)", answers: PokemonService().answers, empty: empty)
  }

  @Test func samplesAnswerListAndDetail() async throws {
    try await checkSamples(
      PokemonProvider.self,
      [
        "", "detail: true", "limit: 3\ndetail: true", "type: grass", "type: grass\ndetail: true",
        "resource: evolution-chain\nnames: bulbasaur\ndetail: true",
        "resource: move\ntype: grass", "resource: move\ntype: grass\ndetail: true",
      ])
  }

  @Test(arguments: ["names: 12", "names: 40", "names: bulbasaur-mega", "offset: 1"])
  func samplesAnswerOnlyWhatTheyWereRecordedFor(_ yaml: String) async throws {
    let provider = try ProviderHarness.make(PokemonProvider.self, yaml)
    let client = SampleClient(source: "src", samples: PokemonProvider.spec.samples)
    let error = await #expect(throws: AggregateError.self) {
      try await ProviderHarness.rows(provider, client)
    }
    #expect(error?.message.contains("there is no sample for ") == true)
  }

  @Test func listHasNumberNameAndAddress() async throws {
    #expect(
      try await rows("limit: 2") == [
        "1 | “mon-1” | “http://h/api/v2/pokemon/1/”", "2 | “mon-2” | “http://h/api/v2/pokemon/2/”",
      ])
  }

  @Test func entriesWithoutNameTakeTheirNumberFromTheAddress() async throws {
    let client = RecordedClient([
      .to("/machine", giving: #"{"next":null,"results":[{"url":"http://h/api/machine/17/"}]}"#),
      .to("/evolution-chain", giving: #"{"next":null,"results":[{"url":"/evolution-chain/3/"}]}"#),
    ])
    #expect(
      try await rows("resource: evolution-chain", client) == [
        "3 | null | “http://h/evolution-chain/3/”"
      ])
  }

  @Test func speciesAreAskedForUnderTheirOwnPath() async throws {
    let client = RecordedClient([
      .to("/pokemon-species?", giving: #"{"next":null,"results":[{"name":"a","url":"/1/"}]}"#),
      .to("/pokemon-species/25", giving: #"{"id":25,"name":"pikachu"}"#),
    ])
    #expect(try await rows("resource: species", client).count == 1)
    #expect(
      try await rows("resource: species\nnames: 25", client)
        == ["25 | “pikachu” | “http://h/api/pokemon-species/25/”"])
  }

  @Test(arguments: [
    (limit: 7, page: 3, pages: [3, 3, 1]), (limit: 4, page: 2, pages: [2, 2]),
    (limit: 5, page: 100, pages: [5]), (limit: 1, page: 1, pages: [1]),
    (limit: 0, page: 9, pages: []),
  ])
  func limitAndPageSizeSayHowManyRequests(_ limit: Int, _ page: Int, _ pages: [Int]) async throws {
    let client = PokemonService().client()
    let rows = try await rows("limit: \(limit)\npage_size: \(page)", client)
    #expect(rows.count == limit)
    #expect(
      client.requests.map { $0.url.queryItems.first { $0.name == "limit" }?.value }
        == pages.map(String.init))
  }

  @Test func withoutALimitThePagesAreReadToTheLast() async throws {
    let client = PokemonService().client()
    #expect(try await rows("page_size: 3", client).count == 7)
    #expect(client.requests.count == 3)
  }

  @Test(arguments: [false, true])
  func offsetLeavesOutTheFirst(detail: Bool) async throws {
    let rows = try await rows("offset: 5\ndetail: \(detail)")
    #expect(rows.map { $0.prefix(1) } == ["6", "7"])
  }

  @Test(arguments: [false, true])
  func serviceThatIgnoresTheLimitGivesNoMoreThanIt(detail: Bool) async throws {
    let client = PokemonService(ignoresLimit: true).client()
    let rows = try await rows("limit: 3\noffset: 1\ndetail: \(detail)", client)
    #expect(rows.map { $0.prefix(1) } == ["2", "3", "4"])
    #expect(client.requests.count == (detail ? 4 : 1))
  }

  @Test func detailHasMetresKilogramsAndStats() async throws {
    #expect(
      try await rows("limit: 1\ndetail: true") == [
        "1 | “mon-1” | 0.1 | 0.3 | null | [\"grass\",\"poison\"] | [] | 41 | null | null | null | null"
          + " | null | null | “http://h/api/pokemon/1/”"
      ])
  }

  @Test func detailOfADocumentWithoutStatsHasNulls() async throws {
    let client = RecordedClient([.to("/pokemon/1", giving: #"{"id":1,"name":"x","stats":null}"#)])
    let row = try #require(try await rows("names: 1\ndetail: true", client).first)
    #expect(row.hasPrefix("1 | “x” | null | null | null | null | null | null"))
  }

  @Test func namesKeepTheirOrderWhateverArrivesFirst() async throws {
    let client = PokemonService().client(scrambles: true)
    let rows = try await rows("names: [mon-5, 2, MON-7, mon-1]", client)
    #expect(rows.map { $0.prefix(1) } == ["5", "2", "7", "1"])
    #expect(client.addresses.contains("http://h/api/pokemon/mon-7"))
  }

  @Test func slashesBehindTheBaseAddressDoNotMatter() async throws {
    let provider = try ProviderHarness.make(
      PokemonProvider.self, "base_url: http://h/api//\nnames: 1")
    let client = PokemonService().client()
    let rows = try await ProviderHarness.rows(provider, client)
    #expect(client.addresses == ["http://h/api/pokemon/1"])
    #expect(rows == ["1 | “mon-1” | “http://h/api/pokemon/1/”"])
  }

  @Test func unknownNameIsNamedWithTheNearestOne() async throws {
    let error = await failure("names: [mon-1, mom-3]\ndetail: true")
    #expect(
      error?.message.hasPrefix("there is no pokemon “mom-3”: GET http://h/api/pokemon/mom-3")
        == true)
    #expect(error?.message.contains("404") == true)
    #expect(error?.hint == "did you mean “mon-3”?")
    #expect(error?.status == 404)
  }

  /// Names as the service lists them, those of default varieties first.
  private static let varieties = [
    "dratini", "deoxys-normal", "giratina-altered", "darmanitan-standard", "mr-mime", "nidoran-f",
    "nidoran-m", "giratina-origin", "deoxys-attack", "darmanitan-zen", "raichu-alola",
  ]

  @Test(arguments: [
    ("giratina", "giratina-altered"), ("deoxys", "deoxys-normal"), ("Deoxys", "deoxys-normal"),
    ("darmanitan", "darmanitan-standard"), ("nidoran", "nidoran-f"),
    ("giratna", "giratina-altered"),
    ("deoxis-attack", "deoxys-attack"), ("dratinny", "dratini"), ("mr mime", "mr-mime"),
  ])
  func nameOfASpeciesIsToldWithItsDefaultVariety(_ name: String, _ near: String) async {
    let entries = Self.varieties.enumerated().map {
      #"{"name":"\#($1)","url":"/pokemon/\#($0 + 1)/"}"#
    }
    let client = RecordedClient([
      .to("/pokemon?", giving: #"{"results":[\#(entries.joined(separator: ","))],"next":null}"#)
    ])
    let error = await failure("names: \(name)", client)
    #expect(error?.hint == "did you mean “\(near)”?")
  }

  @Test func rowsBeforeTheOneThatFailedAreGiven() async throws {
    let provider = try ProviderHarness.make(
      PokemonProvider.self, "\(base)\nnames: [1, 99, 2]\ndetail: true")
    let tally = SourceTally()
    let batches = try await ProviderHarness.run(
      provider, PokemonService().client(), errorPolicy: .partial, tally: tally)
    #expect(ProviderHarness.column("id", of: batches) == ["1", "2"])
    #expect(tally.status == .partial)
    #expect(tally.failures.first?.source == "src")
    #expect(tally.failures.first?.message.contains("“99”") == true)
  }

  @Test func brokenDocumentNamesThePokemon() async throws {
    let client = RecordedClient([
      .to(
        "/pokemon?", giving: #"{"next":null,"results":[{"name":"ditto","url":"/pokemon/132/"}]}"#),
      .to("/pokemon/132", giving: "{\"id\": 132"),
    ])
    let error = await failure("detail: true", client)
    #expect(error?.code == .badData)
    #expect(error?.message.contains("“ditto”") == true)
    #expect(error?.message.contains("http://h/api/pokemon/132") == true)
  }

  private static let types: [RecordedClient.Answer] = [
    .to(
      "/type/fire",
      giving:
        #"{"id":10,"pokemon":[\#([4, 2, 6].map { #"{"pokemon":{"name":"mon-\#($0)","url":"/pokemon/\#($0)/"}}"# }.joined(separator: ","))],"#
        + #""moves":[{"name":"ember","url":"/move/52/"}]}"#),
    .to(
      "/type?", giving: #"{"next":null,"results":[{"name":"fire","url":"/type/10/"}]}"#),
  ]

  @Test(arguments: [
    ("", ["4", "2", "6"]), ("limit: 2", ["4", "2"]), ("offset: 1", ["2", "6"]),
    ("offset: 1\nlimit: 1", ["2"]), ("limit: 0", []), ("offset: 5", []),
  ])
  func thoseOfATypeAreReadFromItsDocument(_ yaml: String, _ ids: [String]) async throws {
    for detail in [false, true] {
      let client = RecordedClient(Self.types + PokemonService().answers)
      let rows = try await rows("type: Fire\ndetail: \(detail)\n\(yaml)", client)
      #expect(rows.map { String($0.prefix(1)) } == ids)
      #expect(client.requests.count == (yaml == "limit: 0" ? 0 : 1 + (detail ? ids.count : 0)))
    }
  }

  @Test func movesOfATypeAreListedToo() async throws {
    let rows = try await rows("resource: move\ntype: fire", RecordedClient(Self.types))
    #expect(rows == ["52 | “ember” | “http://h/move/52/”"])
  }

  @Test(arguments: [false, true])
  func unknownTypeIsToldWithTheNearestOne(detail: Bool) async {
    let error = await failure("type: fier\ndetail: \(detail)", RecordedClient(Self.types))
    #expect(error?.message.hasPrefix("there is no type “fier”: ") == true)
    #expect(error?.hint == "did you mean “fire”?")
  }

  @Test func typesAreForWhatHasThem() {
    for yaml in ["resource: berry\ntype: fire", "names: pikachu\ntype: fire"] {
      #expect(
        ProviderHarness.mistakes(PokemonProvider.self, yaml).contains { $0.contains("“type”") })
    }
  }

  @Test(arguments: [
    (#""base_experience":"much""#, "“base_experience” is the text \"much\", where a whole number"),
    (#""types":"fire""#, "“types” is the text \"fire\", where a list is expected"),
    (#""sprites":[1]"#, "“sprites” is a list with 1 element, where an object is expected"),
    (#""height":{"m":7}"#, "“height” is an object with 1 member, where a number is expected"),
  ])
  func fieldOfAnotherFormIsToldWithThePokemon(_ member: String, _ part: String) async {
    let client = RecordedClient([.to("/pokemon/x", giving: #"{"id":1,"name":"x",\#(member)}"#)])
    let error = await failure("names: x\ndetail: true", client)
    #expect(error?.code == .badData)
    #expect(error?.message.contains("“x”") == true)
    #expect(error?.message.contains("http://h/api/pokemon/1/") == true)
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test func numbersAsTextAreNumbers() async throws {
    let client = RecordedClient([
      .to("/pokemon/x", giving: #"{"id":"1","name":"x","height":"7","base_experience":"64"}"#)
    ])
    let rows = try await rows("names: x\ndetail: true", client)
    #expect(rows.first?.hasPrefix("1 | “x” | 0.7 | null | 64 |") == true)
  }

  @Test func mistakesInTheOptionsAreToldAtOnce() {
    let mistakes = ProviderHarness.mistakes(
      PokemonProvider.self, "base_url: pokeapi\nresource: evolution-chain\nnames: [1, eevee]")
    #expect(mistakes.count == 1)
    #expect(mistakes.contains { $0.contains("“base_url” is not an address: “pokeapi”") })
    #expect(!ProviderHarness.mistakes(PokemonProvider.self, "limit: many").isEmpty)
    #expect(!ProviderHarness.mistakes(PokemonProvider.self, "resource: digimon").isEmpty)
  }

  @Test(arguments: [
    ("names: [\"\"]", "“names” has an empty name"), ("names: [pikachu, \" \"]", "an empty name"),
    ("names: \"\"", "“names” has an empty name"), ("names: ..", "“..” is no name"),
    ("type: \"\"", "“type” is empty"), ("type: .", "“.” is no name"),
  ])
  func nameThatWouldAskForSomethingElseIsTold(_ yaml: String, _ message: String) {
    let mistakes = ProviderHarness.mistakes(PokemonProvider.self, yaml)
    #expect(mistakes.contains { $0.contains(message) }, "\(mistakes)")
  }

  @Test func planTellsPagesAndPartitions() throws {
    func plan(_ yaml: String) throws -> ProviderPlan {
      try ProviderHarness.make(PokemonProvider.self, yaml).plan
    }
    let list = try plan("offset: 5\npage_size: 50")
    #expect(list.partitions == 1)
    #expect(list.paging?.kind == "offset")
    #expect(
      list.paging?.parameters.map { "\($0.name)=\($0.value)" } == [
        "param=offset", "first=5", "in=query", "limit_param=limit", "limit=50", "total=count",
      ])
    #expect(
      list.paging?.ends == [
        "the number of records at count is reached",
        "a page that says at next that it is the last", "without that number, an empty page",
      ])
    let named = try plan("names: [a, b, c]\noffset: 1\ndetail: true")
    #expect(named.partitions == 2)
    #expect(named.keys.map(\.name) == ["names"])
    #expect(named.paging?.kind == "none")
    let details = try plan("detail: true")
    #expect(details.partitions == nil)
    #expect(details.keys.map(\.name) == ["documents"])
    #expect(details.paging?.kind == "offset")
    #expect(try plan("type: fire").paging?.kind == "none")
  }
}
