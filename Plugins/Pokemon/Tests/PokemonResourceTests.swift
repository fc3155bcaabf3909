import AggregateCore
import AggregateJSON
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregatePokemon

@Suite struct PokemonResourceTests {
  static let names = PokemonResource.all.map(\.name)

  /// The rows of one document, as mappings from column to what is shown; nulls are left out.
  func rows(
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
}
