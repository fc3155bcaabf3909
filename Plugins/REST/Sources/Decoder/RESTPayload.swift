internal import AggregateCore
internal import AggregateJSON

/// What the decoder makes of a body.
public struct RESTPayload: Sendable {
  enum Rows: Sendable {
    /// Records of JSON (or of XML as JSON); all lie in one buffer.
    case records([JSONNode], ByteBuffer)
    /// Rows of a format that has columns of its own.
    case table(Schema, [Batch])
  }

  /// The records.
  let rows: Rows
  /// The whole body, for paging and conditions; nil when it is not one JSON document.
  let root: JSONNode?

  /// How many records there are.
  var count: Int {
    switch rows {
    case .records(let nodes, _): nodes.count
    case .table(_, let batches): batches.reduce(0) { $0 + $1.rowCount }
    }
  }

  /// A hash of the records as they were sent.
  var recordHash: Int {
    var hash = WordHash()
    switch rows {
    case .records(let nodes, let buffer):
      buffer.withUnsafeBytes { bytes in
        for node in nodes {
          hash.combine(UnsafeRawBufferPointer(rebasing: bytes[node.range]))
        }
      }
    case .table(_, let batches):
      // A table has nothing beside its rows.
      for batch in batches { hash.combine(UInt64(batch.rowCount)) }
    }
    return Int(truncatingIfNeeded: hash.value)
  }
}
