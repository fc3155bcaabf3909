public import AggregateCore

/// A writer made of an encoder, for where one thread does all.
public final class EncodingWriter: Writer {
  private let encoder: any BatchEncoder
  private var isEmpty = true

  /// Creates a writer.
  public init(_ encoder: any BatchEncoder) { self.encoder = encoder }

  /// Appends the prologue.
  public func begin(_ schema: Schema, into out: inout ByteBuilder) throws {
    out.append(try encoder.prologue(schema))
  }

  /// Appends the rows of `batch`.
  public func write(_ batch: Batch, into out: inout ByteBuilder) throws {
    if batch.rowCount == 0 { return }
    if isEmpty && encoder.separatorLength > 0 {
      var first = ByteBuilder()
      try encoder.encode(batch, into: &first)
      first.withUnsafeBytes {
        out.append(UnsafeRawBufferPointer(rebasing: $0[encoder.separatorLength...]))
      }
    } else {
      try encoder.encode(batch, into: &out)
    }
    isEmpty = false
  }

  /// Appends the epilogue.
  public func finish(into out: inout ByteBuilder) throws {
    out.append(encoder.epilogue(isEmpty: isEmpty))
  }
}
