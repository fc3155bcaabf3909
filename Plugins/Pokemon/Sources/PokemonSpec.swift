public import AggregateCore

extension PokemonProvider {
  /// Name, options, columns, example and samples.
  public static let spec = ProviderSpec(
    "pokemon", "Pokémon from PokéAPI: a list, or height, weight, types, abilities and stats of each",
    options: [
      OptionSpec(
        "resource", .choice(resources.keys.sorted()), default: "pokemon", "What is listed."),
      OptionSpec(
        "detail", .bool, default: "false",
        "Whether each Pokémon's own document is fetched, several at a time."),
      OptionSpec(
        "names", .list(of: .text, orSingle: true), "Only these, by name or number.",
        example: "[pikachu, 25]"),
      OptionSpec("limit", .int(0...Int.max), "At most this many.", example: "151"),
      OptionSpec("offset", .int(0...Int.max), default: "0", "How many to leave out first."),
      OptionSpec("page_size", .int(1...10_000), default: "200", "How many a list page has."),
      OptionSpec(
        "base_url", .text, default: "https://pokeapi.co/api/v2",
        "A mirror, a proxy or a test server."),
    ],
    columns: listColumns + detailColumns.filter { column in
      !listColumns.contains { $0.name == column.name }
    },
    discussion: """
      Needs no key. Without `detail`, one request gives a page of names and addresses. With it, every
      Pokémon's document is fetched, as many at a time as `--jobs` allows; the rows keep the order of
      the list.
      """,
    example: """
      pokemon:
        provider: pokemon
        limit: 151
        detail: true
      """,
    samples: [
      ProviderSpec.Sample(matching: ["/pokemon?"]) { PackageResources.list_json },
      ProviderSpec.Sample(matching: ["/pokemon/1"]) { PackageResources.bulbasaur_json },
      ProviderSpec.Sample(matching: ["/pokemon/4"]) { PackageResources.charmander_json },
      ProviderSpec.Sample(matching: ["/pokemon/7"]) { PackageResources.squirtle_json },
      ProviderSpec.Sample(matching: ["/pokemon/bulbasaur"]) { PackageResources.bulbasaur_json },
      ProviderSpec.Sample(matching: ["/pokemon/charmander"]) { PackageResources.charmander_json },
      ProviderSpec.Sample(matching: ["/pokemon/squirtle"]) { PackageResources.squirtle_json },
    ])

  /// The columns of a list.
  static let listColumns = [
    ColumnSpec("id", .int, description: "Number in PokéAPI."),
    ColumnSpec("name", .text, description: "Name, in lower case."),
    ColumnSpec("url", .text, description: "Address of the document."),
  ]

  /// The columns with `detail: true`.
  static let detailColumns = [
    ColumnSpec("id", .int, description: "Number in PokéAPI."),
    ColumnSpec("name", .text, description: "Name, in lower case."),
    ColumnSpec("height_m", .number, unit: "m", description: "Height."),
    ColumnSpec("weight_kg", .number, unit: "kg", description: "Weight."),
    ColumnSpec("base_experience", .int, description: "Experience gained for defeating it."),
    ColumnSpec("types", .list, description: "Types, by slot."),
    ColumnSpec("abilities", .list, description: "Abilities, by slot."),
    ColumnSpec("hp", .int, description: "Base hit points."),
    ColumnSpec("attack", .int, description: "Base attack."),
    ColumnSpec("defense", .int, description: "Base defense."),
    ColumnSpec("special_attack", .int, description: "Base special attack."),
    ColumnSpec("special_defense", .int, description: "Base special defense."),
    ColumnSpec("speed", .int, description: "Base speed."),
    ColumnSpec("sprite", .text, description: "Address of the picture from the front."),
    ColumnSpec("url", .text, description: "Address of the document."),
  ]
}
