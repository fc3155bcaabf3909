import AggregateCore
import AggregateJSON

extension PokemonResource {
  static let pokemon: [DetailField] = [
    tenth("height_m", of: "height", unit: "m", "Height."),
    tenth("weight_kg", of: "weight", unit: "kg", "Weight."),
    .int("base_experience", "Experience gained for defeating it."),
    .names("types", key: "type", isSlotted: true, "Types, by slot."),
    .names("abilities", key: "ability", isSlotted: true, "Abilities, by slot."),
    stat("hp", "Base hit points."),
    stat("attack", "Base attack."),
    stat("defense", "Base defense."),
    stat("special_attack", "Base special attack."),
    stat("special_defense", "Base special defense."),
    stat("speed", "Base speed."),
    .text("sprite", at: ["sprites", "front_default"], "Address of the picture from the front."),
  ]

  static let speciesFields: [DetailField] = [
    displayName,
    .english(
      "genus", in: "genera", keys: ["genus"], "What it is called besides, such as Seed Pokémon."),
    generation,
    DetailField(
      "pokedex_number", .int,
      from: [
        ("pokedex_numbers", .list(.object([("pokedex", .named), ("entry_number", .int)])))
      ], "Number in the national Pokédex."
    ) { root in
      let national = root["pokedex_numbers"]?.elements.first {
        $0["pokedex"]?["name"]?.string == "national"
      }
      return national?["entry_number"]?.wholeNumber.map(Value.int) ?? .null
    },
    .name("color", "Colour by which a Pokédex sorts it."),
    .name("shape", "Shape by which a Pokédex sorts it."),
    .name("habitat", "Where it lives."),
    .names("egg_groups", "Groups it can breed in."),
    .name("growth_rate", "How fast it gains levels."),
    .int("capture_rate", "How easily it is caught, up to 255."),
    .int("base_happiness", "Happiness when it is caught, up to 255."),
    .int("hatch_counter", "Cycles until its egg hatches."),
    .int("gender_rate", "Chance of being female, in eighths; -1 for no gender."),
    .bool("is_baby", "Whether it is a baby."),
    .bool("is_legendary", "Whether it is legendary."),
    .bool("is_mythical", "Whether it is mythical."),
    .name("evolves_from", of: ["evolves_from_species"], "Species it evolves from."),
    DetailField(
      "evolution_chain", .int, from: [("evolution_chain", .object([("url", .address)]))],
      "Number of its evolution chain."
    ) { root in
      root["evolution_chain"]?.referredID.map(Value.int) ?? .null
    },
    .names("varieties", key: "pokemon", "Pokémon of the species."),
    flavorText,
  ]

  static let type: [DetailField] = [
    displayName,
    generation,
    .name("damage_class", of: ["move_damage_class"], "Physical, special or status."),
    damage("double_damage_from", "Types whose moves do it double damage."),
    damage("half_damage_from", "Types whose moves do it half damage."),
    damage("no_damage_from", "Types whose moves do it no damage."),
    damage("double_damage_to", "Types to which its moves do double damage."),
    damage("half_damage_to", "Types to which its moves do half damage."),
    damage("no_damage_to", "Types to which its moves do no damage."),
    .names("pokemon", key: "pokemon", "Pokémon that have it."),
    .names("moves", "Moves that have it."),
  ]

  static let ability: [DetailField] = [
    displayName,
    generation,
    .bool("is_main_series", "Whether the games of the main series have it."),
    shortEffect, effect, flavorText,
    .names("pokemon", key: "pokemon", "Pokémon that have it."),
  ]

  /// Decimetres as metres, hectograms as kilograms.
  private static func tenth(
    _ name: String, of key: String, unit: String, _ description: String
  ) -> DetailField {
    DetailField(name, .number, at: [key], unit: unit, description) { root in
      root[key]?.decimal.map { .double($0 / 10) } ?? .null
    }
  }

  private static func stat(_ name: String, _ description: String) -> DetailField {
    let key = name.replacing("_", with: "-")
    let form = DetailForm.list(.object([("stat", .named), ("base_stat", .int)]))
    return DetailField(name, .int, from: [("stats", form)], description) { root in
      let entry = root["stats"]?.elements.first { $0["stat"]?["name"]?.string == key }
      return entry?["base_stat"]?.wholeNumber.map(Value.int) ?? .null
    }
  }

  private static func damage(_ name: String, _ description: String) -> DetailField {
    .names(name, of: ["damage_relations", name], description)
  }

  static let displayName = DetailField.english(
    "display_name", in: "names", keys: ["name"], "Name in English.")
  static let generation = DetailField.name("generation", "Generation of games that brought it.")
  static let flavorText = DetailField.english(
    "flavor_text", in: "flavor_text_entries", keys: ["flavor_text", "text"],
    "What the newest game says of it, in English.")
  static let shortEffect = DetailField.english(
    "short_effect", in: "effect_entries", keys: ["short_effect"],
    "What it does, in one English sentence.")
  static let effect = DetailField.english(
    "effect", in: "effect_entries", keys: ["effect"], isOneLine: false, "What it does, in English.")
}
