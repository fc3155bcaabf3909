/// From the pages of a part to rows that are emitted, under columns that may still have to be found.
struct PageRows<Source: EndpointProvider>: Sendable {
  typealias SourcePage = Page<Source.SourceEndpoint.Part, Source.SourceEndpoint.Payload>

  /// The rows of a page, not emitted yet.
  struct Mapped {
    var page: SourcePage
    var batches: [Batch]
    /// Whether its columns may still change.
    let isOpen: Bool

    init(_ page: SourcePage, _ batches: [Batch], isOpen: Bool = false) {
      self.page = page
      self.batches = batches
      self.isOpen = isOpen
      self.page.rowCount = batches.reduce(0) { $0 + $1.rowCount }
    }

    /// The rows as one batch, to compare pages by.
    var whole: Batch { batches.count == 1 ? batches[0] : .empty(Schema([])) }

    /// Leaves out the rows behind the first `count`.
    mutating func trim(to count: Int) {
      guard page.rowCount > count else { return }
      var left = count
      batches = batches.map { batch in
        defer { left -= min(left, batch.rowCount) }
        return batch.sliced(0..<min(left, batch.rowCount))
      }
      page.rowCount = count
    }
  }

  private let mapper: Source.Mapper
  private let gate: SchemaGate<Source.Mapper>?
  private let number: Int
  private let context: ProviderContext

  init(_ reader: SourceReader<Source>, _ number: Int, _ context: ProviderContext) {
    mapper = reader.source.mapper
    gate = reader.gate
    self.number = number
    self.context = context
  }

  /// The rows of a page, as far as its columns are known.
  func map(_ page: SourcePage) async throws -> Mapped {
    guard let gate else { return Mapped(page, try rows(of: page, nil)) }
    let answer = await gate.look(at: page.payload, of: number)
    if case .sofar(let schema) = answer {
      return Mapped(page, try rows(of: page, schema), isOpen: true)
    }
    let schema = try await settle(answer)
    return Mapped(page, try rows(of: page, schema))
  }

  /// Emits the rows of a page, or has them wait for their columns.
  func emit(_ mapped: Mapped) async throws {
    guard mapped.isOpen, let gate else { return try await emit(mapped.batches, of: mapped.page) }
    guard mapped.page.rowCount > 0, let schema = await gate.hold(mapped.page) else { return }
    try await emit(mapped.page, under: schema)
  }

  /// Publishes columns that were decided just now, and emits the pages that waited for them.
  func settle(_ answer: SchemaGate<Source.Mapper>.Answer) async throws -> Schema {
    switch answer {
    case .sofar(let schema), .decided(let schema): return schema
    case .first(let schema, let held):
      _ = try await context.publish(schema)
      for page in held { try await emit(page, under: schema) }
      return schema
    }
  }

  /// Emits the pages that wait for more records, for there are none in this part.
  func flush() async throws {
    if let answer = await gate?.decide(at: number) { _ = try await settle(answer) }
  }

  private func rows(of page: SourcePage, _ found: Schema?) throws -> [Batch] {
    try mapper.rows(of: page, found: found, log: context.log)
  }

  private func emit(_ page: SourcePage, under schema: Schema) async throws {
    var mapped = Mapped(page, try rows(of: page, schema))
    mapped.trim(to: page.rowCount)
    try await emit(mapped.batches, of: page)
  }

  private func emit(_ batches: [Batch], of page: SourcePage) async throws {
    for batch in batches where batch.rowCount > 0 {
      try await context.emit(batch, from: WorkOrigin(page.response))
    }
  }
}
