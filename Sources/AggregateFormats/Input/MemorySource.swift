public import AggregateCore
internal import Synchronization

/// The bytes of a buffer, all there at once: an HTTP body, a text in a test.
public final class MemorySource: ByteSource {
  private let buffer: ByteBuffer
  private let step: Int
  private let position = Mutex(0)

  /// Creates a source of the bytes of `buffer`, handed out at most `step` at a time.
  public init(_ buffer: ByteBuffer, step: Int = .max) {
    self.buffer = buffer
    self.step = max(1, step)
  }

  /// The next bytes; the whole buffer without a copy when nothing is left over and it fits.
  public func read(
    behind rest: RestOfBlock, maximum: Int, patience: Duration
  ) async throws -> ByteBlock {
    let range = position.withLock { position in
      let start = position
      position = min(buffer.count, start + min(maximum, step))
      return start..<position
    }
    let isLast = range.upperBound == buffer.count
    if rest.range.isEmpty && range == 0..<buffer.count { return ByteBlock(buffer, isLast: true) }
    let joined = ByteBuffer(capacity: rest.range.count + range.count) { target in
      rest.copy(to: target)
      buffer.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(rebasing: target[rest.range.count...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
      }
      return rest.range.count + range.count
    }
    return ByteBlock(joined, isLast: isLast)
  }
}
