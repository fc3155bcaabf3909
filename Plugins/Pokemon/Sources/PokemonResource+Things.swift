import AggregateCore
import AggregateJSON

extension PokemonResource {
  static let move: [DetailField] = [
    displayName,
    generation,
    .name("type", "Type of the move."),
    .name("damage_class", "Physical, special or status."),
    .int("power", "Base power."),
    .int("accuracy", unit: "%", "How likely it succeeds."),
    .int("pp", "How often it can be used."),
    .int("priority", "Order in a turn; 0 for most."),
    .int("effect_chance", unit: "%", "How likely its effect is."),
    .name("target", "What it is aimed at."),
    .name("category", of: ["meta", "category"], "Group of its kind."),
    .name("ailment", of: ["meta", "ailment"], "What it inflicts."),
    meta("ailment_chance", unit: "%", "How likely it inflicts that."),
    meta("crit_rate", "How much likelier critical hits are."),
    meta("drain", unit: "%", "Damage regained; negative for recoil."),
    meta("healing", unit: "%", "Hit points healed."),
    meta("flinch_chance", unit: "%", "How likely the target flinches."),
    meta("stat_chance", unit: "%", "How likely it changes a stat."),
    meta("min_hits", "Least number of hits."),
    meta("max_hits", "Largest number of hits."),
    meta("min_turns", "Least number of turns."),
    meta("max_turns", "Largest number of turns."),
    shortEffect, effect, flavorText,
    .names("pokemon", of: ["learned_by_pokemon"], "Pokémon that have it."),
  ]

  static let berry: [DetailField] = [
    .name("item", "Item: of a berry, itself; of an evolution, the one used."),
    .name("firmness", "Firmness."),
    .int("size_mm", at: ["size"], unit: "mm", "Size."),
    .int("growth_time", unit: "h", "How long a stage of growth takes."),
    .int("max_harvest", "Most berries on a tree."),
    .int("smoothness", "Smoothness, for what is cooked of it."),
    .int("soil_dryness", "How fast it dries out the soil."),
    .int("natural_gift_power", "Power of the move Natural Gift with it."),
    .name("natural_gift_type", "Type of the move Natural Gift with it."),
    DetailField("flavors", .list, from: [flavorsMember], "Flavours it has.") { root in
      guard let list = root["flavors"], list.kind == .array,
        flavorsMember.form.misfit(list) == nil
      else { return .null }
      let tasted = list.elements.filter { ($0["potency"]?.wholeNumber ?? 0) > 0 }
      let names = tasted.compactMap { $0["flavor"]?["name"]?.string }
      return .json("[" + names.map(EscapedText.quoted).joined(separator: ",") + "]")
    },
    flavor("spicy"), flavor("dry"), flavor("sweet"), flavor("bitter"), flavor("sour"),
  ]

  static let item: [DetailField] = [
    displayName,
    .name("category", "Group of its kind."),
    DetailField(
      "cost", .int,
      from: [
        ("cost", .int),
        ("prices", .list(.object([("currency", .named), ("purchase_price", .int)]))),
      ], "Price in a shop, the newest game's."
    ) { root in
      if let cost = root["cost"], !cost.isNull { return cost.wholeNumber.map(Value.int) ?? .null }
      // Newer documents have a price per group of games, in several currencies.
      var newest: Int64?
      for price in root.elements(of: "prices")
      where price["currency"]?["name"]?.string == "poke-dollar" {
        newest = price["purchase_price"]?.wholeNumber ?? newest
      }
      return newest.map(Value.int) ?? .null
    },
    .names("attributes", "Whether it can be counted, used up, held and the like."),
    .int("fling_power", "Power of the move Fling with it."),
    .name("fling_effect", "Effect of the move Fling with it."),
    shortEffect, effect, flavorText,
    .names("held_by", of: ["held_by_pokemon"], key: "pokemon", "Pokémon that hold it in the wild."),
    .text("sprite", at: ["sprites", "default"], "Address of its picture."),
  ]

  private static let flavorsMember = DetailField.Member(
    "flavors", .list(.object([("flavor", .named), ("potency", .int)])))

  private static func meta(
    _ name: String, unit: String? = nil, _ description: String
  ) -> DetailField {
    .int(name, at: ["meta", name], unit: unit, description)
  }

  private static func flavor(_ name: String) -> DetailField {
    DetailField(name, .int, from: [flavorsMember], "How \(name) it is.") { root in
      let entry = root["flavors"]?.elements.first { $0["flavor"]?["name"]?.string == name }
      return entry?["potency"]?.wholeNumber.map(Value.int) ?? .null
    }
  }
}
