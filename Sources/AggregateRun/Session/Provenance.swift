import AggregateCore

/// The columns `_source`, `_url` and `_fetched_at` that `--provenance` adds.
enum Provenance {
  private static let added = [
    ColumnSpec("_source", .text, description: "The source that the row came from."),
    ColumnSpec("_url", .text, description: "The address that answered, without credentials."),
    ColumnSpec("_fetched_at", .instant, description: "When the answer was fetched."),
  ]

  /// `schema` with the columns before it.
  static func schema(_ schema: Schema) -> Schema {
    let names = added.map(\.name)
    return Schema(
      added + schema.columns.filter { !names.contains($0.name) }, isOpen: schema.isOpen)
  }

  /// Rows with the columns filled in.
  static func label(_ emission: Emission, source: String) -> Work {
    switch emission.work {
    case .batch(let batch): return .batch(label(batch, emission.origin, source: source))
    case .deferred(let decode):
      return .deferred {
        var decoded = decode()
        decoded.batches = decoded.batches.map { label($0, emission.origin, source: source) }
        return decoded
      }
    }
  }

  /// Rows with the columns filled in.
  static func label(_ batch: Batch, _ origin: WorkOrigin?, source: String) -> Batch {
    func column(_ text: String?) -> Column {
      text.map { .constant($0, count: batch.rowCount) } ?? .nulls(batch.rowCount)
    }
    let schema = schema(batch.schema)
    let own = [
      column(source), column(origin?.url.description), column(origin?.fetchedAt.iso8601),
    ]
    let kept = batch.schema.columns.indices.filter { index in
      !added.contains { $0.name == batch.schema.columns[index].name }
    }
    return Batch(
      schema: schema, columns: own + kept.map { batch.columns[$0] }, rowCount: batch.rowCount)
  }
}
