public import AggregateCore

/// Any API that answers JSON, NDJSON, CSV, TSV, XML or a feed, declared entirely in YAML.
public struct RESTProvider: EndpointProvider {
  /// The endpoint.
  public private(set) var endpoint: RESTEndpoint
  /// The decoder.
  public private(set) var decoder: RESTDecoder
  /// The row mapper.
  public let mapper: RESTRowMapper
  let authentication: Authentication
  /// Whether requests say since when rows are wanted.
  public let readsIncrementally: Bool

  /// Creates a source from options that were checked against the spec.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    endpoint = RESTEndpoint(options, &diagnostics)
    authentication = Authentication(options, &diagnostics)
    decoder = RESTDecoder(options, &diagnostics)
    mapper = RESTRowMapper(options)
    let asks = endpoint.template.templates(options).contains { $0.0.names.contains("since") }
    readsIncrementally =
      options.given("incremental").map { $0["query"]?.string != nil || asks } ?? false
    checkCursor(options, &diagnostics)
    checkNames(options, &diagnostics)
  }

  /// The cursor and the key are among the declared columns.
  private func checkCursor(_ options: Options, _ diagnostics: inout Diagnostics) {
    guard let incremental = options.given("incremental"), let schema = mapper.knownSchema else {
      return
    }
    let keys = incremental["key"].map { $0.sequence ?? [$0] } ?? []
    for node in [incremental["cursor"]].compactMap({ $0 }) + keys {
      guard let text = node.string else { continue }
      do {
        let reference = try schema.resolve(text)
        if reference.subpath.isEmpty { continue }
        diagnostics.error(
          "unknown-column", "“\(text)” lies inside a column", at: node.location,
          hint: "declare it under “columns”, with a name of its own")
      } catch {
        diagnostics.error("unknown-column", error.message, at: node.location, hint: error.hint)
      }
    }
  }

  private func checkNames(_ options: Options, _ diagnostics: inout Diagnostics) {
    var known =
      endpoint.forEach.keys.flatMap(\.names) + (options.entries("params") ?? []).map(\.key)
    if options.given("incremental") != nil { known += ["since", "until"] }
    for (template, place) in endpoint.template.templates(options) {
      template.check(known, at: place, into: &diagnostics)
    }
    for column in mapper.columns ?? [] {
      guard case .template(let template) = column.origin else { continue }
      let place = options.given("columns")?[column.spec.name]?.location ?? column.location
      template.check(known, at: place, into: &diagnostics)
    }
  }

  /// The sources that `for_each` takes values from.
  public var sourceReferences: [LocatedText] { endpoint.forEach.sources }

  /// The source with what fetches its credentials.
  public func bound(to context: ProviderContext) -> RESTProvider {
    var bound = self
    bound.endpoint.template.authorizer = authentication.authorizer(context)
    bound.decoder.log = context.log
    bound.decoder.source = context.source
    return bound
  }

  /// The first request of each part that is known without asking.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    try endpoint.forEach.planned(context.parameters).flatMap { values in
      try endpoint.plannedRequests(
        for: RESTPart(values: values), readsIncrementally ? context.cursors : nil)
    }
  }
}
