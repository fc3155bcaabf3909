public import AggregateCore
internal import Synchronization

/// Where the bytes of an input come from, block by block.
public protocol ByteSource: AnyObject, Sendable {
  /// The bytes of `rest` followed by up to `maximum` new ones.
  ///
  /// Waits until there is a new byte or the input has ended. What comes within `patience` after that
  /// is taken too; with none, only what is there at once. Called by one task at a time.
  func read(
    behind rest: RestOfBlock, maximum: Int, patience: Duration
  ) async throws -> ByteBlock
}

/// The end of a block that was not used up.
public struct RestOfBlock: Sendable {
  /// The block's bytes.
  public let buffer: ByteBuffer
  /// Which of them are left.
  public let range: Range<Int>

  /// Creates a rest.
  public init(_ buffer: ByteBuffer, _ range: Range<Int>) {
    self.buffer = buffer
    self.range = range
  }

  /// Nothing.
  public static let none = RestOfBlock(.empty, 0..<0)

  /// Copies the bytes to the beginning of `target`, which must have room for them.
  func copy(to target: UnsafeMutableRawBufferPointer) {
    buffer.withUnsafeBytes { bytes in
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
  }

  /// The bytes followed by those of `other`; without a copy when there is nothing to join.
  func joined(with other: ByteBuffer) -> ByteBuffer {
    if range.isEmpty { return other }
    return ByteBuffer(capacity: range.count + other.count) { target in
      copy(to: target)
      other.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: target[range.count...]).copyMemory(from: $0)
      }
      return range.count + other.count
    }
  }
}

/// A block of an input.
public struct ByteBlock: Sendable {
  /// The bytes.
  public let buffer: ByteBuffer
  /// Whether the input ends with them.
  public let isLast: Bool

  /// Creates a block.
  public init(_ buffer: ByteBuffer, isLast: Bool) {
    self.buffer = buffer
    self.isLast = isLast
  }
}

/// A source of which a block was read already, to look at it.
final class PeekedSource: ByteSource {
  private let source: any ByteSource
  private let first: Mutex<ByteBlock?>

  init(_ first: ByteBlock, _ source: any ByteSource) {
    self.first = Mutex(first)
    self.source = source
  }

  func read(
    behind rest: RestOfBlock, maximum: Int, patience: Duration
  ) async throws -> ByteBlock {
    let block = first.withLock { first in
      defer { first = nil }
      return first
    }
    guard let block else {
      return try await source.read(behind: rest, maximum: maximum, patience: patience)
    }
    return ByteBlock(rest.joined(with: block.buffer), isLast: block.isLast)
  }
}
