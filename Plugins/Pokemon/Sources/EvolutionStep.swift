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
    DetailField("time_of_day", .text, from: ["time_of_day"], "Day, night or dusk.") { root in
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
        throw AggregateError(.badData, "a link of the evolution chain has no species")
      }
      if let from {
        let conditions = link.elements(of: "evolution_details")
        if conditions.isEmpty {
          steps.append(EvolutionStep(from: from, to: name, stage: stage, condition: nil))
        }
        for condition in conditions {
          steps.append(EvolutionStep(from: from, to: name, stage: stage, condition: condition))
        }
      }
      for link in link.elements(of: "evolves_to").reversed() {
        waiting.append((link, stage + 1, name))
      }
    }
    return steps
  }

  /// Appends the row of the step, without its address.
  func append(to rows: inout BatchBuilder, chain: Int64) {
    rows.append(chain)
    rows.append(from)
    rows.append(to)
    rows.append(stage)
    for field in Self.fields { rows.append(condition.map(field.read) ?? .null) }
  }
}
