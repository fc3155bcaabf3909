internal import AggregateCore

/// Reads one sorted run of a spill file: keys, each with its packed row.
///
/// A record is the lengths of key and row (four bytes each), then key and row.
final class RunReader {
  private let file: SpillFile
  private var position: Int
  private let end: Int
  private let bufferSize: Int
  private var buffer: [UInt8] = []
  private var cursor = 0
  private var keyLength = 0
  private var rowLength = 0
  /// Whether all records were read.
  private(set) var isAtEnd = false

  /// Creates a reader at the first record of `range`, which must have one.
  init(_ file: SpillFile, _ range: Range<Int>, bufferSize: Int) throws {
    self.file = file
    position = range.lowerBound
    end = range.upperBound
    self.bufferSize = bufferSize
    try load()
  }

  /// Calls `body` with the key and the packed row of the current record.
  func withRecord<R>(
    _ body: (_ key: UnsafeRawBufferPointer, _ row: UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    try buffer.withUnsafeBytes { bytes in
      let start = cursor + 8
      return try body(
        UnsafeRawBufferPointer(rebasing: bytes[start..<start + keyLength]),
        UnsafeRawBufferPointer(rebasing: bytes[start + keyLength..<start + keyLength + rowLength]))
    }
  }

  /// Goes on to the next record.
  func advance() throws {
    cursor += 8 + keyLength + rowLength
    try load()
  }

  private func load() throws {
    try require(8)
    if isAtEnd { return }
    (keyLength, rowLength) = buffer.withUnsafeBytes {
      (
        Int($0.loadUnaligned(fromByteOffset: cursor, as: UInt32.self)),
        Int($0.loadUnaligned(fromByteOffset: cursor + 4, as: UInt32.self))
      )
    }
    try require(8 + keyLength + rowLength)
  }

  /// Makes sure that `wanted` bytes are there from the cursor on.
  private func require(_ wanted: Int) throws {
    if buffer.count - cursor >= wanted { return }
    if position == end && cursor == buffer.count {
      isAtEnd = true
      return
    }
    buffer.removeSubrange(..<cursor)
    cursor = 0
    let more = min(max(bufferSize, wanted) - buffer.count, end - position)
    let start = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: more))
    let got = try buffer.withUnsafeMutableBytes {
      try file.read(at: position, into: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
    }
    position += got
    if got < more || buffer.count < wanted {
      throw AggregateError(.internal, "a temporary file ended too early")
    }
  }
}
