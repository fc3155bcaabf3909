import AggregateCore
import AggregateJSON
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregatePokemon

@Suite struct PokemonResourceTests {
  static let names = PokemonResource.all.map(\.name)

  /// The rows of one document, as mappings from column to what is shown; nulls are left out.
  private func rows(
    _ resource: String, _ document: String
  ) async throws -> [[String: String]] {
    let provider = try ProviderHarness.make(
      PokemonProvider.self, "base_url: http://h\nresource: \(resource)\nnames: 9\ndetail: true")
    let batches = try await ProviderHarness.run(
      provider, RecordedClient([.to("/9", giving: document)]))
    let schema = try #require(provider.schema)
    return batches.flatMap { batch in
      (0..<batch.rowCount).map { row in
        let values = zip(schema.names, batch.row(row)).filter { !$1.isNull }
        return Dictionary(uniqueKeysWithValues: values.map { ($0, $1.displayText) })
      }
    }
  }

  @Test(arguments: names)
  func obeysTheLawsOfProviders(_ resource: String) async throws {
    let samples = RecordedClient.Answer.samples(of: PokemonProvider.spec)
    let empty = [RecordedClient.Answer.to("?limit=", giving: #"{"next":null,"results":[]}"#)]
    for detail in [true, false] {
      try await checkProvider(
        PokemonProvider.self, "resource: \(resource)\ndetail: \(detail)", answers: samples,
        empty: empty)
    }
  }

  @Test(arguments: names)
  func samplesAnswerListAndDetail(_ resource: String) async throws {
    try await checkSamples(
      PokemonProvider.self, ["resource: \(resource)", "resource: \(resource)\ndetail: true"])
  }

  @Test(arguments: names)
  func everyColumnIsDescribedAndInTheReference(_ resource: String) throws {
    let columns = try #require(PokemonResource.named(resource)).detailColumns
    #expect(columns.allSatisfy { $0.description?.hasSuffix(".") == true })
    let line = "- \(resource): \(columns.map(\.name).joined(separator: " "))"
    #expect(PokemonProvider.spec.discussion.contains(line))
    let readme = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "README.md")
    let row = "| `\(resource)` | `\(columns.map(\.name).joined(separator: " "))` |"
    #expect(try String(contentsOf: readme, encoding: .utf8).contains(row))
  }

  @Test(arguments: names.filter { $0 != "evolution-chain" })
  func missingFieldsAreNullAndNewOnesAreLeftOut(_ resource: String) async throws {
    let rows = try await rows(resource, #"{"id":9,"new":[{"a":{}}]}"#)
    #expect(rows.count == 1)
    #expect(rows.first?["id"] == "9")
    #expect(rows.first?.count == 2)
  }

  @Test(arguments: names.filter { $0 != "evolution-chain" }, ["1.5", "\"x\"", "[[]]", "{}", "[7]"])
  func fieldsOfAnotherFormGiveARowOrNameTheDocument(_ resource: String, _ value: String)
    async throws
  {
    let members = [
      "name", "names", "types", "stats", "sprites", "genera", "generation", "pokedex_numbers",
      "damage_relations", "egg_groups", "evolution_chain", "varieties", "flavor_text_entries",
      "effect_entries", "meta", "flavors", "cost", "prices", "item", "effect_chance", "power",
    ]
    let body = members.map { "\"\($0)\":\(value)" }.joined(separator: ",")
    do {
      #expect(try await rows(resource, "{\"id\":9,\(body)}").count == 1)
    } catch let error as AggregateError {
      #expect(error.code == .badData)
      #expect(error.message.contains("/9/: “") && error.message.contains("is expected"))
    }
  }

  /// A field that is of another form, and what the message must say of it.
  static let misfits: [(resource: String, document: String, message: String)] = [
    ("pokemon", #""stats":5"#, "“stats” is the number 5, where a list is expected"),
    ("pokemon", #""stats":{}"#, "“stats” is an object with 0 members, where a list is expected"),
    (
      "pokemon", #""stats":[{"base_stat":45.5,"stat":{"name":"hp"}}]"#,
      "“stats[0].base_stat” is the number 45.5, where a whole number is expected"
    ),
    ("pokemon", #""stats":["hp"]"#, "“stats[0]” is the text \"hp\", where an object is expected"),
    ("pokemon", #""types":["fire"]"#, "“types[0]” is the text \"fire\", where an object is"),
    ("pokemon", #""types":[null]"#, "“types[0]” is null, where an object is expected"),
    (
      "pokemon", #""types":[{"slot":1,"type":{"name":"a"}},{"slot":2,"type":"b"}]"#,
      "“types[1].type” is the text \"b\", where an object is expected"
    ),
    ("pokemon", #""name":5"#, "“name” is the number 5, where a text is expected"),
    ("pokemon", #""height":"nan""#, "“height” is the text \"nan\", where a number is expected"),
    ("pokemon", #""sprites":{"front_default":5}"#, "“sprites.front_default” is the number 5"),
    ("species", #""names":"x""#, "“names” is the text \"x\", where a list is expected"),
    (
      "species", #""names":[{"name":5,"language":{"name":"en"}}]"#,
      "“names[0].name” is the number 5, where a text is expected"
    ),
    ("species", #""names":[{"name":"a","language":"en"}]"#, "“names[0].language” is the text"),
    ("species", #""genera":{}"#, "“genera” is an object with 0 members, where a list"),
    ("species", #""pokedex_numbers":"x""#, "“pokedex_numbers” is the text \"x\", where a list"),
    (
      "species", #""pokedex_numbers":[{"entry_number":"x","pokedex":{"name":"national"}}]"#,
      "“pokedex_numbers[0].entry_number” is the text \"x\", where a whole number"
    ),
    ("species", #""flavor_text_entries":5"#, "“flavor_text_entries” is the number 5, where a list"),
    ("species", #""evolution_chain":"x""#, "“evolution_chain” is the text \"x\", where an object"),
    (
      "species", #""evolution_chain":{"url":"/chain/x/"}"#,
      "“evolution_chain.url” is the text \"/chain/x/\", where an address with a number at its end"
    ),
    ("type", #""damage_relations":[]"#, "“damage_relations” is a list with 0 elements"),
    ("item", #""cost":"dear""#, "“cost” is the text \"dear\", where a whole number is expected"),
    ("item", #""prices":"x""#, "“prices” is the text \"x\", where a list is expected"),
    ("berry", #""flavors":"x""#, "“flavors” is the text \"x\", where a list is expected"),
    (
      "berry", #""flavors":[{"flavor":{"name":"dry"},"potency":"hot"}]"#,
      "“flavors[0].potency” is the text \"hot\", where a whole number is expected"
    ),
    (
      "ability",
      #""effect_chance":[],"effect_entries":[{"language":{"name":"en"},"effect":"$effect_chance%","short_effect":"x"}]"#,
      "“effect_chance” is a list with 0 elements, where a whole number is expected"
    ),
  ]

  @Test(arguments: misfits.indices)
  func fieldOfAnotherFormIsNamedWithItsPlace(_ index: Int) async {
    let (resource, document, message) = Self.misfits[index]
    let error = await #expect(throws: AggregateError.self) {
      try await rows(resource, "{\"id\":9,\(document)}")
    }
    #expect(error?.code == .badData)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("/9/: ") == true, "\(error?.message ?? "")")
  }

  static let numbersAsText: [(resource: String, document: String, column: String, value: String)] =
    [
      ("pokemon", #""stats":[{"base_stat":"45","stat":{"name":"hp"}}]"#, "hp", "45"),
      (
        "species", #""pokedex_numbers":[{"entry_number":"7","pokedex":{"name":"national"}}]"#,
        "pokedex_number", "7"
      ),
      ("item", #""cost":"1000""#, "cost", "1000"),
      (
        "item", #""prices":[{"currency":{"name":"poke-dollar"},"purchase_price":"12"}]"#, "cost",
        "12"
      ),
      ("berry", #""flavors":[{"flavor":{"name":"dry"},"potency":"10"}]"#, "dry", "10"),
      ("berry", #""flavors":[{"flavor":{"name":"dry"},"potency":"10"}]"#, "flavors", #"["dry"]"#),
      (
        "move",
        #""effect_chance":"10","effect_entries":[{"language":{"name":"en"},"effect":"$effect_chance%"}]"#,
        "effect", "10%"
      ),
    ]

  @Test(arguments: numbersAsText.indices)
  func numbersAsTextAreReadAsNumbers(_ index: Int) async throws {
    let (resource, document, column, value) = Self.numbersAsText[index]
    #expect(try await rows(resource, "{\"id\":9,\(document)}").first?[column] == value)
  }

  @Test(arguments: [
    ("1.5", "the number 1.5"), ("null", "null"), ("9223372036854775808", "the number 92233"),
    ("[]", "a list with 0 elements"),
  ])
  func numberOfADocumentThatIsNoneIsShown(_ id: String, _ shown: String) async {
    let error = await #expect(throws: AggregateError.self) {
      try await rows("pokemon", "{\"id\":\(id),\"name\":\"x\"}")
    }
    #expect(
      error?.message.contains("the “id” of the document of “9” is \(shown)") == true,
      "\(error?.message ?? "")")
    #expect(error?.message.contains("where a whole number is expected") == true)
    let missing = await #expect(throws: AggregateError.self) {
      try await rows("pokemon", "{\"name\":\"x\"}")
    }
    #expect(missing?.message == "the document of “9” has no “id”")
  }

  @Test func typesAndAbilitiesComeBySlot() async throws {
    let types =
      #""types":[{"slot":2,"type":{"name":"poison"}},{"slot":1,"type":{"name":"grass"}}]"#
    let abilities =
      #""abilities":[{"slot":3,"ability":{"name":"c"}},{"slot":1,"ability":null},{"slot":2,"ability":{"name":"b\"x"}}]"#
    let row = try await rows("pokemon", "{\"id\":9,\(types),\(abilities)}").first
    #expect(row?["types"] == #"["grass","poison"]"#)
    #expect(row?["abilities"] == #"["b\"x","c"]"#)
  }

  @Test func textsAreTheNewestEnglishOnesOnOneLine() async throws {
    let row = try await rows(
      "species",
      #"""
      {"id":9,"flavor_text_entries":[
        {"flavor_text":"old","language":{"name":"en"}},
        {"flavor_text":"shat­\nters win­\fdows\n in  the\farea. ","language":{"name":"en"}},
        {"flavor_text":"neu","language":{"name":"de"}}]}
      """#
    ).first
    #expect(row?["flavor_text"] == "shatters windows in the area.")
  }

  @Test func chanceOfAnEffectStandsInItsText() async throws {
    let row = try await rows(
      "move",
      #"""
      {"id":9,"effect_chance":30,"effect_entries":[{"language":{"name":"en"},
        "short_effect":"$effect_chance% to burn.","effect":"Burns.\n\n$effect_chance%."}]}
      """#
    ).first
    #expect(row?["short_effect"] == "30% to burn.")
    #expect(row?["effect"] == "Burns.\n\n30%.")
  }

  @Test func priceIsTheNewestInPokeDollars() async throws {
    func price(_ amount: Int, _ currency: String) -> String {
      #"{"currency":{"name":"\#(currency)"},"purchase_price":\#(amount)}"#
    }
    let prices = [price(1, "poke-dollar"), price(2, "poke-dollar"), price(3, "battle-points")]
    let row = try await rows("item", #"{"id":9,"prices":[\#(prices.joined(separator: ","))]}"#)
    #expect(row.first?["cost"] == "2")
    #expect(try await rows("item", #"{"id":9,"cost":7,"prices":[]}"#).first?["cost"] == "7")
  }

  @Test func chainsGiveEveryWayOfEveryBranch() async throws {
    func link(_ name: String, _ details: String, _ next: String) -> String {
      #"{"species":{"name":"\#(name)"},"evolution_details":[\#(details)],"evolves_to":[\#(next)]}"#
    }
    let level = #"{"trigger":{"name":"level-up"},"min_level":5,"time_of_day":"","new":1}"#
    let stone = #"{"trigger":{"name":"use-item"},"item":{"name":"sun-stone"}}"#
    let chain = link(
      "a", "", link("b", "\(level),\(stone)", link("c", "", "")) + "," + link("d", level, ""))
    let rows = try await rows("evolution-chain", #"{"id":9,"chain":\#(chain)}"#)
    let shown = rows.map { row in
      ["from", "to", "stage", "trigger", "min_level", "item"].map { row[$0] ?? "-" }
        .joined(separator: " ")
    }
    #expect(
      shown == [
        "a b 1 level-up 5 -", "a b 1 use-item - sun-stone", "b c 2 - - -", "a d 1 level-up 5 -",
      ])
    #expect(rows.allSatisfy { $0["chain"] == "9" && $0["url"] == "http://h/evolution-chain/9/" })
  }

  /// Ponyta becomes Rapidash, and the one of Galar the one of Galar, both at level 40.
  @Test func formsTellEvolutionsApart() async throws {
    let first =
      #"{"trigger":{"name":"level-up"},"min_level":40,"base_form":null,"is_default":true}"#
    let second =
      #"{"trigger":{"name":"level-up"},"min_level":"40","base_form":{"name":"a-galar"},"evolved_form":{"name":"b-galar"},"is_default":false,"near_special_rock":true,"needs_multiplayer":true}"#
    let chain =
      #"{"species":{"name":"a"},"evolves_to":[{"species":{"name":"b"},"evolution_details":[\#(first),\#(second)],"evolves_to":[]}]}"#
    let rows = try await rows("evolution-chain", #"{"id":9,"chain":\#(chain)}"#)
    #expect(rows.map { $0["base_form"] } == [nil, "a-galar"])
    #expect(rows.map { $0["evolved_form"] } == [nil, "b-galar"])
    #expect(rows.map { $0["is_default"] } == ["true", "false"])
    #expect(rows.last?["near_special_rock"] == "true")
    #expect(rows.last?["needs_multiplayer"] == "true")
    #expect(rows.map { $0["min_level"] } == ["40", "40"])
  }

  @Test(arguments: [
    (
      #"{"min_level":"x"}"#,
      "“chain.evolves_to[0].evolution_details[0].min_level” is the text \"x\", where a whole number"
    ),
    (
      #"{"trigger":"level-up"}"#,
      "“chain.evolves_to[0].evolution_details[0].trigger” is the text \"level-up\", where an object"
    ),
    (#"7"#, "“chain.evolves_to[0].evolution_details[0]” is the number 7, where an object"),
  ])
  func conditionOfAnotherFormIsNamedWithItsPlace(_ details: String, _ message: String) async {
    let next = #"{"species":{"name":"b"},"evolution_details":[\#(details)],"evolves_to":[]}"#
    let error = await #expect(throws: AggregateError.self) {
      try await rows(
        "evolution-chain", #"{"id":9,"chain":{"species":{"name":"a"},"evolves_to":[\#(next)]}}"#)
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("http://h/evolution-chain/9/: ") == true)
  }

  @Test(arguments: [
    (#""evolves_to":"none""#, "“chain.evolves_to” is the text \"none\", where a list"),
    (#""evolves_to":[5]"#, "“chain.evolves_to[0]” is the number 5, where an object"),
    (
      #""evolves_to":[{"species":{"name":"b"},"evolution_details":{"x":1}}]"#,
      "“chain.evolves_to[0].evolution_details” is an object with 1 member, where a list"
    ),
    (
      #""evolves_to":[{"species":"b"}]"#,
      "“chain.evolves_to[0].species” is the text \"b\", where an object"
    ),
    (#""evolves_to":[{}]"#, "a link of the evolution chain has no species"),
  ])
  func linkOfAnotherFormIsNamedWithItsPlace(_ member: String, _ message: String) async {
    let error = await #expect(throws: AggregateError.self) {
      try await rows(
        "evolution-chain", #"{"id":9,"chain":{"species":{"name":"a"},\#(member)}}"#)
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  /// A species that becomes any of eight, one of them in two ways, as Eevee does.
  @Test func everyBranchOfOneSpeciesIsARow() async throws {
    let stones = ["water", "thunder", "fire"].map { stone in
      #"{"species":{"name":"\#(stone)eon"},"evolution_details":[{"trigger":{"name":"use-item"},"item":{"name":"\#(stone)-stone"}}],"evolves_to":[]}"#
    }
    let times = ["day", "night"].map { time in
      #"{"species":{"name":"\#(time)eon"},"evolution_details":[{"trigger":{"name":"level-up"},"min_happiness":160,"time_of_day":"\#(time)"}],"evolves_to":[]}"#
    }
    let places =
      #"{"species":{"name":"leafeon"},"evolution_details":[{"trigger":{"name":"level-up"},"location":{"name":"eterna-forest"}},{"trigger":{"name":"use-item"},"item":{"name":"leaf-stone"},"location":null}],"evolves_to":null}"#
    let branches = (stones + times + [places]).joined(separator: ",")
    let rows = try await rows(
      "evolution-chain",
      #"{"id":9,"baby_trigger_item":null,"chain":{"is_baby":false,"species":{"name":"eevee"},"evolution_details":[],"evolves_to":[\#(branches)]}}"#
    )
    #expect(rows.allSatisfy { $0["from"] == "eevee" && $0["stage"] == "1" })
    #expect(
      rows.map { $0["to"] } == [
        "watereon", "thundereon", "fireeon", "dayeon", "nighteon", "leafeon", "leafeon",
      ])
    #expect(rows.map { $0["time_of_day"] } == [nil, nil, nil, "day", "night", nil, nil])
    #expect(rows[5]["location"] == "eterna-forest")
    #expect(rows[6]["item"] == "leaf-stone")
  }

  @Test(arguments: PokemonResource.all.filter(\.hasNames).map(\.name))
  func aNameThatDoesNotExistIsToldWithTheNearestOne(_ name: String) async throws {
    let resource = try #require(PokemonResource.named(name))
    let provider = try ProviderHarness.make(
      PokemonProvider.self, "base_url: http://h\nresource: \(name)\nnames: firstt\ndetail: true")
    let list = #"{"results":[{"name":"other","url":"/1/"},{"name":"first","url":"/2/"}]}"#
    let client = RecordedClient([.to("/\(resource.path)?limit=", giving: list)])
    let error = await #expect(throws: AggregateError.self) {
      try await ProviderHarness.rows(provider, client)
    }
    #expect(error?.message.hasPrefix("there is no \(name) “firstt”: ") == true)
    #expect(error?.hint == "did you mean “first”?")
  }

  @Test func chainOfOneSpeciesHasNoRow() async throws {
    let chain = #"{"species":{"name":"a"},"evolution_details":[],"evolves_to":[]}"#
    #expect(try await rows("evolution-chain", #"{"id":9,"chain":\#(chain)}"#).isEmpty)
  }

  @Test(arguments: [#"{"id":9}"#, #"{"id":9,"chain":[]}"#, #"{"id":9,"chain":{}}"#])
  func chainThatIsNoneIsAnError(_ document: String) async {
    let error = await #expect(throws: AggregateError.self) {
      try await rows("evolution-chain", document)
    }
    #expect(error?.code == .badData)
    #expect(error?.message.contains("“9”") == true)
  }

  private static let chains: [RecordedClient.Answer] = {
    func chain(_ id: Int, _ to: String) -> RecordedClient.Answer {
      .to(
        "/evolution-chain/\(id)",
        giving:
          #"{"id":\#(id),"chain":{"species":{"name":"a"},"evolves_to":[{"species":{"name":"\#(to)"}}]}}"#
      )
    }
    return [
      chain(67, "b"), chain(68, "c"),
      .to("/pokemon-species/eevee-starter", status: 404, giving: "Not Found"),
      .to(
        "/pokemon-species/eevee",
        giving: #"{"id":133,"evolution_chain":{"url":"/api/v2/evolution-chain/67/"}}"#),
      .to("/pokemon-species/lonely", giving: #"{"id":1,"evolution_chain":null}"#),
      .to("/pokemon-species/odd", giving: #"{"id":1,"evolution_chain":{"url":"/x/"}}"#),
      .to("/pokemon-species/lost", giving: #"{"id":1,"evolution_chain":{}}"#),
      .to("/pokemon-species/none", giving: #"{"id":1}"#),
      .to(
        "/pokemon-species?",
        giving: #"{"next":null,"results":[{"name":"eevee","url":"/pokemon-species/133/"}]}"#),
    ]
  }()

  private func chains(_ names: String, detail: Bool = true) async throws -> [String] {
    let provider = try ProviderHarness.make(
      PokemonProvider.self,
      "base_url: http://h\nresource: evolution-chain\nnames: [\(names)]\ndetail: \(detail)")
    let batches = try await ProviderHarness.run(
      provider, RecordedClient(Self.chains, scrambles: true))
    return batches.flatMap { batch in
      (0..<batch.rowCount).map { row in
        batch.row(row).filter { !$0.isNull }.map(\.displayText).joined(separator: " ")
      }
    }
  }

  @Test func chainsAreFoundByTheNameOfASpecies() async throws {
    #expect(
      try await chains("68, Eevee, lonely, 67") == [
        "68 a c 1 http://h/evolution-chain/68/", "67 a b 1 http://h/evolution-chain/67/",
        "67 a b 1 http://h/evolution-chain/67/",
      ])
    #expect(try await chains("eevee", detail: false) == ["67 http://h/evolution-chain/67/"])
  }

  @Test(arguments: [
    ("odd", "the document of “odd”: “evolution_chain.url” is the text \"/x/\""),
    ("lost", "the document of “lost”: “evolution_chain” has no “url”"),
    ("none", "the evolution chain has no “chain”"),
    ("eeve", "there is no species “eeve”"), ("eevee-starter", "there is no species"),
  ])
  func speciesWithoutAChainIsNamed(_ name: String, _ message: String) async {
    let error = await #expect(throws: AggregateError.self) { try await chains(name) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    if name.hasPrefix("eev") { #expect(error?.hint == "did you mean “eevee”?") }
  }

  @Test func unknownNumberOfAChainIsNamed() async throws {
    let provider = try ProviderHarness.make(
      PokemonProvider.self, "base_url: http://h\nresource: evolution-chain\nnames: 999999")
    let error = await #expect(throws: AggregateError.self) {
      try await ProviderHarness.rows(provider, RecordedClient([.to("x", giving: "")]))
    }
    #expect(error?.message.hasPrefix("there is no evolution-chain “999999”") == true)
  }
}
