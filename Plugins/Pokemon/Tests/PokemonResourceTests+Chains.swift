import AggregateCore
import AggregateJSON
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregatePokemon

/// Evolutions, which have a row for each way.
extension PokemonResourceTests {
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
