public import AggregateCore

/// Compresses a stream block by block; used by one task at a time.
public protocol StreamEncoder: AnyObject {
  /// Appends what is ready of the compressed form of all `bytes` so far.
  ///
  /// - Throws: ``AggregateError`` with code `internal` when the library reports an error.
  func encode(_ bytes: UnsafeRawBufferPointer, into out: inout ByteBuilder) throws

  /// Appends the rest and the end of the stream; the encoder is used up.
  ///
  /// - Throws: ``AggregateError`` with code `internal` when the library reports an error.
  func finish(into out: inout ByteBuilder) throws
}
