/// Where the rows of a pipeline end.
public protocol RowOutput: Sendable {
  /// Told the schema of the rows, before the first of them; called once.
  func begin(_ schema: Schema) throws

  /// Prepares a batch on whatever thread it is on, beside others; nil when that is not possible (yet).
  func prepare(_ batch: Batch) throws -> PreparedRows?

  /// Takes a batch, in order.
  ///
  /// - Returns: `.enough` when the reader has gone.
  func take(_ batch: Batch) throws -> Demand

  /// Takes a prepared batch, in order.
  func take(_ prepared: PreparedRows) throws -> Demand

  /// Told that no rows are waiting just now: what was buffered should go out.
  func flush() throws -> Demand

  /// Called between batches by the task that hands them over; may wait until a reader catches up.
  func drain() async throws
}

extension RowOutput {
  /// Nothing waits.
  public func drain() async throws {}
}

/// A batch as bytes of the output format.
public struct PreparedRows: Sendable {
  /// The bytes.
  public let bytes: ByteBuffer
  /// How many rows they are.
  public let rowCount: Int

  /// Creates prepared rows.
  public init(bytes: ByteBuffer, rowCount: Int) {
    self.bytes = bytes
    self.rowCount = rowCount
  }
}
