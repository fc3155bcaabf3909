import AggregateCore
import AggregateFormats

/// Compresses with gzip what it passes on to another sink.
final class GzipSink: ByteSink {
  private let inner: any ByteSink
  /// Used only by the task that writes in order.
  private nonisolated(unsafe) let encoder: GzipEncoder

  /// - Throws: ``AggregateError`` when zlib cannot be started.
  init(_ inner: any ByteSink) throws {
    self.inner = inner
    encoder = try GzipEncoder()
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws -> Demand {
    var out = ByteBuilder()
    try encoder.encode(bytes, into: &out)
    return try out.withUnsafeBytes { try inner.write($0) }
  }

  func commit() throws {
    var out = ByteBuilder()
    try encoder.finish(into: &out)
    _ = try out.withUnsafeBytes { try inner.write($0) }
    try inner.commit()
  }

  func discard() { inner.discard() }
}
