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
    Self.checkNames(options, &diagnostics)
    let type = options.text("type")
    if type != nil, resource.typeMember == nil {
      diagnostics.error(
        "unused-key", "“type” is for the resources pokemon and move, not for \(resource.name)",
        at: options.location("type"), hint: "leave it out")
    } else if type != nil, options.given("names") != nil {
      diagnostics.error(
        "bad-combination", "“names” and “type” can't be given both", at: options.location("type"),
        hint: "leave one of them out")
    }
    endpoint = PokemonEndpoint(
      base: options.address("base_url", &diagnostics), resource: resource,
      isDetail: options.bool("detail"),
      names: options.texts("names"), limit: options.int("limit") ?? .max,
      offset: options.int("offset") ?? 0, pageSize: options.int("page_size") ?? 200,
      type: type)
    decoder =
      endpoint.isDetail ? PokemonDecoder(endpoint.resource.detail) : PokemonDecoder()
    mapper = PokemonMapper(endpoint)
  }

  /// The list whose entries another source reads in detail.
  init(listOf endpoint: PokemonEndpoint) {
    self.endpoint = endpoint.asList
    decoder = PokemonDecoder()
    mapper = PokemonMapper(self.endpoint)
  }

  /// Finds names with which something else would be asked for: the whole list, or another path.
  private static func checkNames(_ options: Options, _ diagnostics: inout Diagnostics) {
    for (option, nodes) in ["names", "type"].map({ ($0, options.nodes($0) ?? []) }) {
      for node in nodes {
        guard let text = node.string else { continue }
        if text.allSatisfy(\.isWhitespace) {
          diagnostics.error(
            "bad-name", option == "names" ? "“names” has an empty name" : "“type” is empty",
            at: node.location, hint: "without “\(option)” all there are come as a list")
        } else if text == "." || text == ".." {
          diagnostics.error(
            "bad-name", "“\(option)”: “\(text)” is no name", at: node.location,
            hint: option == "names" ? "write pikachu, or 25" : "write fire, or 10")
        }
      }
    }
  }

  /// How the list is paged, and which documents are asked for.
  public var plan: ProviderPlan {
    var plan = ProviderPlan()
    plan.knowsPartitions = true
    if endpoint.names != nil {
      plan.keys = [
        ProviderPlan.Key(name: "names", origin: .list, count: endpoint.named.count)
      ]
    } else if endpoint.isDetail {
      plan.keys = [ProviderPlan.Key(name: "documents", origin: .list, count: nil)]
    }
    plan.paging =
      endpoint.names == nil
      ? endpoint.paging(of: .list).plan : Paging<PokemonAnswer>.single.plan
    return plan
  }

  /// The requests of a run as far as they are known without asking.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    if endpoint.names != nil {
      return try endpoint.named.map { try endpoint.firstRequest(for: $0) }
    }
    return endpoint.limit > 0 ? [try endpoint.firstRequest(for: .list)] : []
  }
}
