public import AggregateCore

/// A run of whole records of a text format, still to be decoded.
public struct RecordChunk: Sendable {
  /// The bytes.
  public let buffer: ByteBuffer
  /// Where the records lie in the buffer.
  public let range: Range<Int>
  /// The line of the input that the first record begins on, counted from 1.
  public let firstLine: Int
  /// Where in the input the first record begins, in bytes from 0.
  public let byteOffset: Int

  /// Creates a chunk.
  public init(buffer: ByteBuffer, range: Range<Int>, firstLine: Int, byteOffset: Int) {
    self.buffer = buffer
    self.range = range
    self.firstLine = firstLine
    self.byteOffset = byteOffset
  }

  /// What is left of the chunk from `index` of its buffer on.
  func dropping(upTo index: Int) -> RecordChunk {
    let lines = buffer.withUnsafeBytes {
      CSVChunker.lineCount($0, range.lowerBound..<index)
    }
    return RecordChunk(
      buffer: buffer, range: index..<range.upperBound, firstLine: firstLine + lines,
      byteOffset: byteOffset + index - range.lowerBound)
  }
}
