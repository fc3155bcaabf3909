public import AggregateCore

/// A run of whole records of a text format, still to be decoded.
public struct RecordChunk: Sendable {
  /// The bytes.
  public let buffer: ByteBuffer
  /// Where the records lie in the buffer.
  public let range: Range<Int>
  /// Where in the input the first record begins.
  public let place: TextPlace
  /// How many chunks of the input come before this one.
  public let index: Int

  /// Creates a chunk.
  public init(buffer: ByteBuffer, range: Range<Int>, place: TextPlace, index: Int) {
    self.buffer = buffer
    self.range = range
    self.place = place
    self.index = index
  }

  /// Where in the input the byte at `index` of the buffer is.
  func place(at index: Int) -> TextPlace {
    buffer.withUnsafeBytes { place.advanced(over: $0, in: range.lowerBound..<index) }
  }

  /// What is left of the chunk from `start` of its buffer on.
  func dropping(upTo start: Int) -> RecordChunk {
    RecordChunk(
      buffer: buffer, range: start..<range.upperBound, place: place(at: start), index: index)
  }
}
