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
    guard let base = WebURL(baseText) else {
      diagnostics.error(
        "bad-url", "“base_url” is not an address: “\(baseText)”", at: options.location("base_url"),
        hint: "write it with http:// or https://")
      self.init(base: nil, resource: resource, isDetail: isDetail, options: options)
      return
    }
    self.init(base: base, resource: resource, isDetail: isDetail, options: options)
  }

  private init(base: WebURL?, resource: String, isDetail: Bool, options: Options) {
    endpoint = PokemonEndpoint(
      base: base, resource: Self.resources[resource] ?? resource, isDetail: isDetail,
      names: options.texts("names"), limit: options.int("limit"),
      offset: options.int("offset") ?? 0, pageSize: options.int("page_size") ?? 200)
    decoder = PokemonDecoder()
    mapper = PokemonMapper(isDetail: isDetail, base: base?.description ?? "")
  }

  /// The requests of a run as far as they are known without asking.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    if let names = endpoint.names {
      return try names.map { try endpoint.request(for: .document($0)) }
    }
    return [try endpoint.request(for: .list)]
  }
}
