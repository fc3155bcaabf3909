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

  @Test func unknownNumberOfAChainIsNamed() async throws {
    let provider = try ProviderHarness.make(
      PokemonProvider.self, "base_url: http://h\nresource: evolution-chain\nnames: 999999")
    let error = await #expect(throws: AggregateError.self) {
      try await ProviderHarness.rows(provider, RecordedClient([.to("x", giving: "")]))
    }
    #expect(error?.message.hasPrefix("there is no evolution-chain “999999”") == true)
  }
}
