public import AggregateCore

/// An input whose format and columns are known, ready to be streamed once.
public struct OpenedInput: Sendable {
  /// The name of the format that was found.
  public let format: String
  /// The columns: closed for CSV, open for JSON whose columns were found in a sample.
  public let schema: Schema
  private let stream:
    @Sendable (ColumnDemand, @Sendable (Work) async throws -> Void) async throws -> Void

  /// Creates an input; `stream` hands out its rows once.
  public init(
    format: String, schema: Schema,
    stream:
      @escaping @Sendable (ColumnDemand, @Sendable (Work) async throws -> Void) async throws -> Void
  ) {
    self.format = format
    self.schema = schema
    self.stream = stream
  }

  /// Streams the rows, in order, in pieces that may be decoded on other threads.
  ///
  /// For JSON a demand of paths reads only those; the columns are then named by them. Other formats
  /// give all columns. Memory is bounded by a few blocks and the longest record.
  ///
  /// - Throws: ``AggregateError`` when the input cannot be read, and whatever `emit` throws. What is
  ///   wrong with a record is in the `failure` of its piece, behind the rows before it.
  public func emit(
    demand: ColumnDemand = .all, to emit: @Sendable (Work) async throws -> Void
  ) async throws {
    try await stream(demand, emit)
  }

  /// An input of rows that are there already.
  static func ready(_ format: String, _ schema: Schema, _ batches: [Batch]) -> OpenedInput {
    OpenedInput(format: format, schema: schema) { _, emit in
      for batch in batches { try await emit(.batch(batch)) }
    }
  }
}
