/// Writes batches as bytes of one format.
///
/// A writer is used by one thread: ``begin(_:into:)``, ``write(_:into:)`` for each batch, ``finish(into:)``.
public protocol Writer: AnyObject {
  /// Starts the output for rows of `schema`.
  func begin(_ schema: Schema, into out: inout ByteBuilder) throws
  /// Appends the rows of `batch`.
  func write(_ batch: Batch, into out: inout ByteBuilder) throws
  /// Ends the output.
  func finish(into out: inout ByteBuilder) throws
}
