import AggregateCore
import AggregateFormats

/// Compresses what it passes on to another sink.
final class CompressingSink: ByteSink {
  private let inner: any ByteSink
  /// Used only by the task that writes in order.
  private nonisolated(unsafe) let encoder: any StreamEncoder

  init(_ inner: any ByteSink, with encoder: any StreamEncoder) {
    self.inner = inner
    self.encoder = encoder
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
