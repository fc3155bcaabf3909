public import AggregateCore

/// PokéAPI (https://pokeapi.co): lists of its resources, and Pokémon in detail.
public struct PokemonProvider: EndpointProvider {
  /// The path of each resource below the base address, by the name of the option's value.
  static let resources = [
    "pokemon": "pokemon", "species": "pokemon-species", "type": "type", "ability": "ability",
    "move": "move", "berry": "berry", "item": "item", "evolution-chain": "evolution-chain",
  ]

  /// The endpoint.
  public let endpoint: PokemonEndpoint
  /// The decoder.
  public let decoder: PokemonDecoder
  /// The row mapper.
  public let mapper: PokemonMapper

  /// Creates a provider from its options.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let resource = options.text("resource") ?? "pokemon"
    let isDetail = options.bool("detail")
    if isDetail && resource != "pokemon" {
      diagnostics.error(
        "bad-combination", "“detail” is for the resource pokemon, not for “\(resource)”",
        at: options.location("detail"), hint: "leave “detail” out to list names and addresses")
    }
    let baseText = options.text("base_url") ?? ""
    let base = WebURL(baseText)
    if base == nil {
      diagnostics.error(
        "bad-url", "“base_url” is not an address: “\(baseText)”", at: options.location("base_url"),
        hint: "write it with http:// or https://")
    }
    endpoint = PokemonEndpoint(
      base: base, resource: Self.resources[resource] ?? resource, isDetail: isDetail,
      names: options.texts("names"), limit: options.int("limit") ?? .max,
      offset: options.int("offset") ?? 0, pageSize: options.int("page_size") ?? 200)
    decoder = PokemonDecoder()
    mapper = PokemonMapper(endpoint)
  }

  /// The requests of a run as far as they are known without asking.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    if endpoint.names != nil { return try endpoint.named.map { try endpoint.request(for: $0) } }
    return endpoint.limit > 0 ? [try endpoint.request(for: .list)] : []
  }
}
