import AggregateCore
import AggregateJSON

/// One way in which one species of a chain becomes the next.
struct EvolutionStep {
  let from: String
  let to: String
  /// How many steps of the chain lead to `to`.
  let stage: Int
  /// How it comes about; nil when the document does not say.
  let condition: JSONNode?

  static let columns =
    [
      ColumnSpec("chain", .int, description: "Number of the evolution chain."),
      ColumnSpec("from", .text, description: "Species that evolves."),
      ColumnSpec("to", .text, description: "Species that it becomes."),
      ColumnSpec("stage", .int, description: "Steps from the first species of the chain."),
    ] + fields.map(\.column)

  /// What must be so for the step, read from an element of `evolution_details`.
  static let fields: [DetailField] = [
    .name("trigger", "What sets it off, such as level-up or trade."),
    .int("min_level", "Least level."),
    .name("item", "Item: of a berry, itself; of an evolution, the one used."),
    .name("held_item", "Item that is held."),
    .name("known_move", "Move that is known."),
    .name("known_move_type", "Type of a move that is known."),
    .name("used_move", "Move that is used often."),
    .int("min_move_count", "How often that move is used."),
    .int("min_happiness", "Least happiness."),
    .int("min_affection", "Least affection."),
    .int("min_beauty", "Least beauty."),
    .int("min_steps", "Least number of steps walked."),
    .int("min_damage_taken", "Least damage taken."),
    .int("gender", "1 for females only, 2 for males only."),
    .int("relative_physical_stats", "1 for attack above defense, 0 for equal, -1 for below."),
    DetailField("time_of_day", .text, at: ["time_of_day"], "Day, night or dusk.") { root in
      root["time_of_day"]?.string.flatMap { $0.isEmpty ? nil : .text($0) } ?? .null
    },
    .name("location", "Where it happens."),
    .name("region", "Region where it happens."),
    .name("party_species", "Species in the party."),
    .name("party_type", "Type in the party."),
    .name("trade_species", "Species it is traded for."),
    .bool("needs_overworld_rain", "Whether it must rain."),
    .bool("turn_upside_down", "Whether the console is held upside down."),
    .name("version_group", "Games in which it is so."),
    .bool("is_default", "Whether it is the usual way in these games."),
    .name("base_form", "Form that evolves, such as ponyta-galar; null for any."),
    .name("evolved_form", "Form that it becomes; null for the usual one."),
    .bool("near_special_rock", "Whether it must be near a mossy, an icy or a magnetic rock."),
    .bool("needs_multiplayer", "Whether it must be in a game of several players."),
  ]

  /// The steps of a chain, from its first species on, a branch to its end before the next.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when the document is no chain.
  static func steps(of document: JSONNode) throws -> [EvolutionStep] {
    guard let chain = document["chain"], chain.kind == .object else {
      throw AggregateError(
        .badData, "the evolution chain has no “chain”", hint: "is “base_url” a PokéAPI?")
    }
    var steps: [EvolutionStep] = []
    // A list, not recursion: how deep a chain is, the service says.
    var waiting = [(link: chain, stage: 0, from: String?.none)]
    while let (link, stage, from) = waiting.popLast() {
      guard let name = link["species"]?["name"]?.string else {
        throw DetailForm.object([("species", .named)]).misfit(link)
          ?? AggregateError(.badData, "a link of the evolution chain has no species")
      }
      if let from {
        let conditions = try objects(in: link, "evolution_details")
        if conditions.isEmpty {
          steps.append(EvolutionStep(from: from, to: name, stage: stage, condition: nil))
        }
        for condition in conditions {
          steps.append(EvolutionStep(from: from, to: name, stage: stage, condition: condition))
        }
      }
      for link in try objects(in: link, "evolves_to").reversed() {
        waiting.append((link, stage + 1, name))
      }
    }
    return steps
  }

  /// The objects of a list, which may be missing or null.
  private static func objects(in link: JSONNode, _ key: String) throws -> [JSONNode] {
    guard let list = link[key], !list.isNull else { return [] }
    if let error = DetailForm.list(.object([])).misfit(list) { throw error }
    return Array(list.elements)
  }

  /// Appends the row of the step, without its address.
  ///
  /// - Throws: ``AggregateError`` with code `badData` for a condition of another form.
  func append(to rows: inout BatchBuilder, chain: Int64) throws {
    rows.append(chain)
    rows.append(from)
    rows.append(to)
    rows.append(stage)
    for field in Self.fields {
      let value = condition.map(field.read) ?? .null
      if value.isNull, let condition, let error = field.misfit(in: condition) { throw error }
      rows.append(value)
    }
  }
}
