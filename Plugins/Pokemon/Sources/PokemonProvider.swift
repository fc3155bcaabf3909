public import AggregateCore

/// PokéAPI (https://pokeapi.co): lists of its resources, and each of them in detail.
public struct PokemonProvider: EndpointProvider {
  /// The endpoint.
  public let endpoint: PokemonEndpoint
  /// The decoder.
  public let decoder: PokemonDecoder
  /// The row mapper.
  public let mapper: PokemonMapper

  /// Creates a provider from its options.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let resource =
      options.text("resource").flatMap(PokemonResource.named) ?? PokemonResource.all[0]
    for node in options.nodes("names") ?? [] where !resource.hasNames {
      guard let text = node.string, Int(text) == nil else { continue }
      diagnostics.error(
        "bad-name", "“names”: the resource \(resource.name) has no names, so “\(text)” is none",
        at: node.location,
        hint: "write numbers; “evolution_chain” of the resource species has that of a Pokémon")
    }
    let baseText = options.text("base_url") ?? ""
    let base = WebURL(baseText)
    if base == nil {
      diagnostics.error(
        "bad-url", "“base_url” is not an address: “\(baseText)”", at: options.location("base_url"),
        hint: "write it with http:// or https://")
    }
    endpoint = PokemonEndpoint(
      base: base, resource: resource, isDetail: options.bool("detail"),
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
