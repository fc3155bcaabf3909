public import AggregateCore
public import AggregateJSON

/// Reads a whole document of a format that another module knows, such as a feed.
public struct BodyReader: Sendable {
  /// What a document gave.
  public struct Rows: Sendable {
    /// The columns.
    public var schema: Schema
    /// The rows.
    public var batches: [Batch]

    /// Creates a result.
    public init(schema: Schema, batches: [Batch]) {
      self.schema = schema
      self.batches = batches
    }
  }

  /// Reads the bytes of the input called `name`; `records` says which values are the records.
  public let read:
    @Sendable (_ bytes: ByteBuffer, _ name: String, _ records: JSONPath?, _ log: RunLog) throws ->
      Rows

  /// Creates a reader.
  public init(
    _ read:
      @escaping @Sendable (
        _ bytes: ByteBuffer, _ name: String, _ records: JSONPath?, _ log: RunLog
      ) throws -> Rows
  ) {
    self.read = read
  }
}
