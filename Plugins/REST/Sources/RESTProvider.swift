public import AggregateCore

/// Any API that answers JSON, NDJSON, CSV, TSV, XML or a feed, declared entirely in YAML.
public struct RESTProvider: Provider {
  private(set) var template: RequestTemplate
  let forEach: ForEach
  let pager: Pager
  let errors: ErrorRules
  let decoder: RESTDecoder
  let mapper: RESTRowMapper
  let authentication: Authentication
  /// Whether requests say since when rows are wanted.
  public let readsIncrementally: Bool

  /// Creates a source from options that were checked against the spec.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let template = RequestTemplate(options, &diagnostics)
    self.template = template
    authentication = Authentication(options, &diagnostics)
    forEach = ForEach(options, &diagnostics)
    pager = Pager(options, &diagnostics)
    errors = ErrorRules(options, &diagnostics)
    decoder = RESTDecoder(options, &diagnostics)
    mapper = RESTRowMapper(options)
    let asks = template.templates(options).contains { $0.0.names.contains("since") }
    readsIncrementally =
      options.given("incremental").map { $0["query"]?.string != nil || asks } ?? false
    checkCursor(options, &diagnostics)
    checkNames(options, &diagnostics)
  }

  /// The cursor and the key are among the declared columns.
  private func checkCursor(_ options: Options, _ diagnostics: inout Diagnostics) {
    guard let incremental = options.given("incremental"), let schema = mapper.schema else { return }
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
    var known = forEach.keys.flatMap(\.names) + (options.entries("params") ?? []).map(\.key)
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
    var bound = self
    bound.template.authorizer = authentication.authorizer(context)
    try await bound.read(context)
  }

  private func read(_ context: ProviderContext) async throws {
    let gate = SchemaGate(mapper, rowLimit: context.rowLimit)
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
            do {
              // What came before a failure is good.
              if !(error is CancellationError) { try await reader.flush() }
            } catch {}
            await gate.settle(partition.index)
            throw error
          }
        })
    } catch let error as AggregateError {
      throw error.of(source: context.source)
    }
    if let answer = await gate.decideAtEnd() {
      let reader = PartitionReader(self, RESTPartition(index: 0, values: [:]), context, gate)
      _ = try await reader.settled(answer)
    }
    if mapper.schema == nil, await !gate.isDecided {
      _ = try await context.publish(Schema([]))
    }
  }

  /// The first request of each partition that is known without asking.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    let changes = pager.first.changes
    return try forEach.planned(context.parameters).flatMap { values in
      let partition = RESTPartition(index: 0, values: values)
      guard readsIncrementally, let cursors = context.incremental else {
        return [try template.request(values, changes)]
      }
      let name = forEach.name(of: values)
      var requests: [HTTPRequest] = []
      var next = try cursors.window(after: nil, of: name)
      while let window = next, requests.count < 1000 {
        requests.append(try template.request(partition.in(window).values, changes, window))
        next = try cursors.window(after: window, of: name)
      }
      return requests
    }
  }
}
