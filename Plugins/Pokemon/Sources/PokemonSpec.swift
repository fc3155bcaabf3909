public import AggregateCore

extension PokemonProvider {
  /// Name, options, columns, example and samples.
  public static let spec = ProviderSpec(
    "pokemon",
    "Pokémon, their species, types, moves, items, evolutions … from PokéAPI, listed or in detail.",
    options: [
      OptionSpec(
        "resource", .choice(PokemonResource.all.map(\.name)), default: "pokemon",
        "What is listed, or read in detail."),
      OptionSpec(
        "detail", .bool, default: "false",
        "Whether the document of each is fetched, several at a time."),
      OptionSpec(
        "names", .list(of: .text, orSingle: true),
        "Only these, by name or number; evolution chains by the name of a species.",
        example: "[pikachu, 25]"),
      OptionSpec(
        "type", .text, "Only those of this type; for the resources pokemon and move.",
        example: "fire"),
      OptionSpec("limit", .int(0...Int.max), "At most this many.", example: "151"),
      OptionSpec("offset", .int(0...Int.max), default: "0", "How many to leave out first."),
      OptionSpec("page_size", .int(1...10_000), default: "200", "How many a list page has."),
      OptionSpec(
        "base_url", .text, default: "https://pokeapi.co/api/v2",
        "A mirror, a proxy or a test server."),
    ],
    columns: PokemonResource.allColumns,
    discussion: """
      Needs no key. Without `detail`, one request gives a page of names and addresses. With it, the
      document of each is fetched, as many at a time as `--jobs` allows, and the rows keep the order of
      the list. Each resource then has columns of its own:

      \(columnsByResource)

      An evolution chain gives a row for every way in which one of its species becomes the next; a
      chain of one species has none. Texts are the English ones, of the newest game.
      """,
    example: """
      pokemon:
        provider: pokemon
        limit: 151
        detail: true
      """,
    samples: [
      ProviderSpec.Sample(matching: ["/pokemon?", "offset=0"]) { PackageResources.list_json },
      ProviderSpec.Sample(matching: ["/pokemon/1"]) { PackageResources.bulbasaur_json },
      ProviderSpec.Sample(matching: ["/pokemon/4"]) { PackageResources.charmander_json },
      ProviderSpec.Sample(matching: ["/pokemon/7"]) { PackageResources.squirtle_json },
      ProviderSpec.Sample(matching: ["/pokemon/bulbasaur"]) { PackageResources.bulbasaur_json },
      ProviderSpec.Sample(matching: ["/pokemon/charmander"]) { PackageResources.charmander_json },
      ProviderSpec.Sample(matching: ["/pokemon/squirtle"]) { PackageResources.squirtle_json },
      ProviderSpec.Sample(matching: ["/pokemon-species?", "offset=0"]) {
        PackageResources.species_list_json
      },
      ProviderSpec.Sample(matching: ["/pokemon-species/1"]) { PackageResources.species_1_json },
      ProviderSpec.Sample(matching: ["/pokemon-species/bulbasaur"]) {
        PackageResources.species_1_json
      },
      ProviderSpec.Sample(matching: ["/type?", "offset=0"]) { PackageResources.type_list_json },
      ProviderSpec.Sample(matching: ["/type/12"]) { PackageResources.type_12_json },
      ProviderSpec.Sample(matching: ["/type/grass"]) { PackageResources.type_12_json },
      ProviderSpec.Sample(matching: ["/ability?", "offset=0"]) {
        PackageResources.ability_list_json
      },
      ProviderSpec.Sample(matching: ["/ability/65"]) { PackageResources.ability_65_json },
      ProviderSpec.Sample(matching: ["/move?", "offset=0"]) { PackageResources.move_list_json },
      ProviderSpec.Sample(matching: ["/move/22"]) { PackageResources.move_22_json },
      ProviderSpec.Sample(matching: ["/move/84"]) { PackageResources.move_84_json },
      ProviderSpec.Sample(matching: ["/berry?", "offset=0"]) { PackageResources.berry_list_json },
      ProviderSpec.Sample(matching: ["/berry/1"]) { PackageResources.berry_1_json },
      ProviderSpec.Sample(matching: ["/item?", "offset=0"]) { PackageResources.item_list_json },
      ProviderSpec.Sample(matching: ["/item/4"]) { PackageResources.item_4_json },
      ProviderSpec.Sample(matching: ["/evolution-chain?", "offset=0"]) {
        PackageResources.evolution_chain_list_json
      },
      ProviderSpec.Sample(matching: ["/evolution-chain/1"]) {
        PackageResources.evolution_chain_1_json
      },
    ])

  /// Which columns each resource has with `detail`, a line each.
  private static let columnsByResource = PokemonResource.all.map { resource in
    "- \(resource.name): " + resource.detailColumns.map(\.name).joined(separator: " ")
  }.joined(separator: "\n")
}
