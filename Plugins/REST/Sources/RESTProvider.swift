public import AggregateCore

/// Any API that answers JSON, NDJSON, CSV, TSV, XML or a feed, declared entirely in YAML.
public struct RESTProvider: Provider {
  let template: RequestTemplate
  let forEach: ForEach
  let pager: Pager
  let errors: ErrorRules
  let decoder: RESTDecoder
  let mapper: RESTRowMapper

  /// Creates a source from options that were checked against the spec.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    template = RequestTemplate(options, &diagnostics)
    forEach = ForEach(options, &diagnostics)
    pager = Pager(options, &diagnostics)
    errors = ErrorRules(options, &diagnostics)
    decoder = RESTDecoder(options, &diagnostics)
    mapper = RESTRowMapper(options)
    checkNames(options, &diagnostics)
  }

  private func checkNames(_ options: Options, _ diagnostics: inout Diagnostics) {
    var known = forEach.keys.map(\.name) + (options.entries("params") ?? []).map(\.key)
    if options.given("incremental") != nil { known += ["since", "until"] }
    for (template, place) in template.templates(options) {
      template.check(known, at: place, into: &diagnostics)
    }
    for column in mapper.columns ?? [] {
      guard case .template(let template) = column.origin else { continue }
      let place = options.given("columns")?[column.spec.name]?.location ?? column.location
      template.check(known, at: place, into: &diagnostics)
    }
  }

  /// The declared columns, or those of feeds; nil when the data decides.
  public var schema: Schema? { mapper.schema }

  /// The sources that `for_each` takes values from.
  public var sourceReferences: [LocatedText] { forEach.sources }

  /// Reads the partitions, several at a time, and emits their rows in order.
  public func rows(_ context: ProviderContext) async throws {
    let gate = SchemaGate()
    do {
      try await OrderedPartitions.run(
        context,
        produce: { yield in try await forEach.partitions(context, yield) },
        read: { partition, context in
          var reader = PartitionReader(self, partition, context, gate)
          do {
            try await reader.run()
            await gate.settle(partition.index)
          } catch {
            await gate.settle(partition.index)
            throw error
          }
        })
    } catch let error as AggregateError {
      throw error.of(source: context.source)
    }
    if mapper.schema == nil, await !gate.isDecided {
      _ = try await context.publish(Schema([]))
    }
  }

  /// The first request of each partition that is known without asking.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    let changes = pager.first.changes
    return try forEach.planned(context.parameters).map { values in
      try template.request(values, changes)
    }
  }
}
