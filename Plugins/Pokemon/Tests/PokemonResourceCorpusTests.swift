import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregatePokemon

/// Real documents of every resource, read once more with Foundation.
@Suite(.corpus("pokeapi"))
struct PokemonResourceCorpusTests {
  typealias Object = [String: Any]

  private func rows(_ resource: PokemonResource, _ numbers: [Int]) async throws -> [Object] {
    try await rows(resource, numbers) { try Corpus.bytes("\(resource.path)/\($0).json") }
  }

  private func rows(
    _ resource: PokemonResource, _ numbers: [Int], _ document: (Int) throws -> [UInt8]
  ) async throws -> [Object] {
    let answers = try numbers.map { number in
      RecordedClient.Answer(body: try document(number)) { $0.url.path.hasSuffix("/\(number)") }
    }
    let names = numbers.map(String.init).joined(separator: ", ")
    let provider = try ProviderHarness.make(
      PokemonProvider.self,
      "base_url: http://h\nresource: \(resource.name)\nnames: [\(names)]\ndetail: true")
    let batches = try await ProviderHarness.run(provider, RecordedClient(answers))
    let schema = try #require(provider.schema)
    return try batches.flatMap { batch in
      try (0..<batch.rowCount).map { row in
        var object: Object = [:]
        for (column, value) in zip(schema.columns, batch.row(row)) where !value.isNull {
          object[column.name] =
            column.type == .list
            ? try JSONSerialization.jsonObject(with: Data(value.displayText.utf8))
            : value.displayText
        }
        return object
      }
    }
  }

  private func compare(_ row: Object, _ expected: Object, _ columns: [String], _ place: String) {
    for column in columns {
      let shown = row[column].map { "\($0)" }
      let wanted = expected[column].map { "\($0)" }
      #expect(shown == wanted, "\(column) of \(place)")
    }
    #expect(Set(expected.keys).isSubset(of: columns), "\(place)")
  }

  @Test(arguments: ["species", "type", "ability", "move", "berry", "item"])
  func everyDocumentGivesTheRowThatAnotherReaderSees(_ name: String) async throws {
    let resource = try #require(PokemonResource.named(name))
    let numbers = try Corpus.numbers(resource.path)
    #expect(numbers.count > 15)
    let rows = try await rows(resource, numbers)
    try #require(rows.count == numbers.count)
    for (number, row) in zip(numbers, rows) {
      let document = try Corpus.object("\(resource.path)/\(number).json")
      var expected = Self.expected(name, document)
      expected["id"] = number
      expected["name"] = document["name"] as? String
      expected["url"] = "http://h/\(resource.path)/\(number)/"
      compare(row, expected, resource.detailColumns.map(\.name), "\(name) \(number)")
    }
  }

  /// What the service may do to a document at any time: leave a field empty or out, or add some.
  @Test(arguments: PokemonResource.all.map(\.name))
  func fieldsThatAreNullAbsentOrNewChangeNoOtherColumn(_ name: String) async throws {
    let resource = try #require(PokemonResource.named(name))
    let number = try #require(
      try Corpus.numbers(resource.path).first { number in
        // A chain of one species has no rows to compare.
        name != "evolution-chain"
          || !((try? Corpus.object("\(resource.path)/\(number).json")["chain"] as? Object)??[
            "evolves_to"] as? [Any] ?? []).isEmpty
      })
    let document = try Corpus.object("\(resource.path)/\(number).json")
    let whole = try await rows(resource, [number])
    try #require(!whole.isEmpty)
    func extended(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(extended) }
      guard var object = value as? Object else { return value }
      for (key, value) in object { object[key] = extended(value) }
      object["new_in_this_year"] = ["a": [1, NSNull()]]
      return object
    }
    func compare(_ changed: Object, _ what: String, isSame: Bool = false) async throws {
      let data = try JSONSerialization.data(withJSONObject: changed)
      let found = try await rows(resource, [number]) { _ in [UInt8](data) }
      guard found.count == whole.count else {
        Issue.record("\(name) with \(what) gives \(found.count) rows")
        return
      }
      for (row, wanted) in zip(found, whole) {
        for (column, value) in wanted where isSame || row[column] != nil {
          #expect("\(row[column] ?? "null")" == "\(value)", "\(column) of \(name) with \(what)")
        }
        #expect(Set(row.keys).isSubset(of: wanted.keys), "\(name) with \(what)")
      }
    }
    try await compare(try #require(extended(document) as? Object), "new fields", isSame: true)
    for key in document.keys where key != "id" && key != "chain" {
      var changed = document
      changed[key] = NSNull()
      try await compare(changed, "\(key) null")
      changed[key] = nil
      try await compare(changed, "no \(key)")
    }
  }

  @Test func everyChainGivesTheStepsThatAnotherReaderSees() async throws {
    let resource = try #require(PokemonResource.named("evolution-chain"))
    let numbers = try Corpus.numbers(resource.path)
    var expected: [Object] = []
    for number in numbers {
      let document = try Corpus.object("\(resource.path)/\(number).json")
      func walk(_ link: Object, _ stage: Int) {
        for next in link["evolves_to"] as? [Object] ?? [] {
          for details in next["evolution_details"] as? [Object] ?? [] {
            var row: Object = [
              "chain": number, "stage": stage, "url": "http://h/evolution-chain/\(number)/",
            ]
            row["from"] = Self.name(link, "species")
            row["to"] = Self.name(next, "species")
            for (key, value) in details {
              switch value {
              case let object as Object: row[key] = object["name"]
              case let text as String where !text.isEmpty: row[key] = text
              case let number as NSNumber: row[key] = number
              default: break
              }
            }
            for key in [
              "needs_overworld_rain", "turn_upside_down", "is_default", "near_special_rock",
              "needs_multiplayer",
            ] {
              row[key] = details[key] as? Bool
            }
            expected.append(row)
          }
          walk(next, stage + 1)
        }
      }
      walk(document["chain"] as? Object ?? [:], 1)
    }
    let rows = try await rows(resource, numbers)
    #expect(rows.count > 30)
    try #require(rows.count == expected.count)
    for (row, expected) in zip(rows, expected) {
      compare(row, expected, resource.detailColumns.map(\.name), "\(expected["chain"] ?? "")")
    }
    // Everything that the documents tell of an evolution is in its row.
    let shown = rows.map { row in row.map { "\($0)=\($1)" }.sorted().joined(separator: " ") }
    #expect(Set(shown).count == rows.count)
  }

  // MARK: Another reading

  private static func name(_ object: Object, _ key: String) -> String? {
    (object[key] as? Object)?["name"] as? String
  }

  private static func names(_ value: Any?, _ key: String? = nil) -> Any? {
    guard let list = value as? [Object] else { return nil }
    return list.compactMap { entry in
      key.map { name(entry, $0) } ?? entry["name"] as? String
    } as [String]
  }

  private static func english(_ value: Any?, _ key: String) -> String? {
    let entries = (value as? [Object] ?? []).filter { name($0, "language") == "en" }
    return entries.last?[key] as? String
  }

  private static func oneLine(_ text: String?) -> String? {
    text?.replacingOccurrences(of: "\u{AD}[\\n\\f]", with: "", options: .regularExpression)
      .replacingOccurrences(of: "\u{AD}", with: "")
      .components(separatedBy: .whitespacesAndNewlines).filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  private static func expected(_ resource: String, _ document: Object) -> Object {
    var row: Object = [:]
    func same(_ keys: String...) { for key in keys { row[key] = document[key] as? NSNumber } }
    func bools(_ keys: String...) { for key in keys { row[key] = document[key] as? Bool } }
    func named(_ keys: String...) { for key in keys { row[key] = name(document, key) } }
    func listed(_ keys: String...) { for key in keys { row[key] = names(document[key]) } }
    if resource != "berry" { row["display_name"] = english(document["names"], "name") }
    if !["berry", "item"].contains(resource) { named("generation") }
    if ["move", "ability", "item"].contains(resource) {
      let chance = (document["effect_chance"] as? Int).map(String.init) ?? "$effect_chance"
      func text(_ key: String) -> String? {
        english(document["effect_entries"], key)?
          .replacingOccurrences(of: "$effect_chance", with: chance)
      }
      row["effect"] = text("effect")
      row["short_effect"] = oneLine(text("short_effect"))
    }
    if ["move", "ability", "species"].contains(resource) {
      row["flavor_text"] = oneLine(english(document["flavor_text_entries"], "flavor_text"))
    }
    switch resource {
    case "species":
      row["genus"] = oneLine(english(document["genera"], "genus"))
      named("color", "shape", "habitat", "growth_rate")
      listed("egg_groups")
      same("capture_rate", "base_happiness", "hatch_counter", "gender_rate")
      bools("is_baby", "is_legendary", "is_mythical")
      row["evolves_from"] = name(document, "evolves_from_species")
      row["evolution_chain"] = ((document["evolution_chain"] as? Object)?["url"] as? String)
        .map { URL(filePath: $0).lastPathComponent }
      row["varieties"] = names(document["varieties"], "pokemon")
      for entry in document["pokedex_numbers"] as? [Object] ?? []
      where name(entry, "pokedex") == "national" {
        row["pokedex_number"] = entry["entry_number"]
      }
    case "type":
      row["damage_class"] = name(document, "move_damage_class")
      for (key, value) in document["damage_relations"] as? Object ?? [:] { row[key] = names(value) }
      row["pokemon"] = names(document["pokemon"], "pokemon")
      listed("moves")
    case "ability":
      bools("is_main_series")
      row["pokemon"] = names(document["pokemon"], "pokemon")
    case "move":
      named("type", "damage_class", "target")
      same("power", "accuracy", "pp", "priority", "effect_chance")
      let meta = document["meta"] as? Object ?? [:]
      for (key, value) in meta { row[key] = value as? NSNumber }
      row["category"] = name(meta, "category")
      row["ailment"] = name(meta, "ailment")
      row["pokemon"] = names(document["learned_by_pokemon"])
    case "berry":
      named("item", "firmness", "natural_gift_type")
      same("growth_time", "max_harvest", "smoothness", "soil_dryness", "natural_gift_power")
      row["size_mm"] = document["size"] as? NSNumber
      let flavors = document["flavors"] as? [Object] ?? []
      for entry in flavors { row[name(entry, "flavor") ?? ""] = entry["potency"] as? NSNumber }
      row["flavors"] = names(flavors.filter { $0["potency"] as? Int != 0 }, "flavor")
    case "item":
      named("category", "fling_effect")
      same("fling_power")
      listed("attributes")
      row["flavor_text"] = oneLine(english(document["flavor_text_entries"], "text"))
      row["held_by"] = names(document["held_by_pokemon"], "pokemon")
      row["sprite"] = (document["sprites"] as? Object)?["default"] as? String
      row["cost"] =
        (document["prices"] as? [Object] ?? [])
        .last { name($0, "currency") == "poke-dollar" && $0["purchase_price"] is Int }?[
          "purchase_price"]
    default: break
    }
    return row
  }
}
