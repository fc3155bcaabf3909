public import AggregateCore

/// Where the bytes of an input come from, block by block.
public protocol ByteSource: AnyObject, Sendable {
  /// The bytes of `rest` followed by up to `maximum` new ones.
  ///
  /// Waits until there is at least one new byte or the input has ended, and no longer than that
  /// unless more bytes are there at once. Called by one task at a time.
  func read(behind rest: RestOfBlock, maximum: Int) async throws -> ByteBlock
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
