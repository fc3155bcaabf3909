#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A place in a text that is read in pieces: where what comes next begins.
///
/// A line ends with LF, with CR LF, or with a CR that no LF follows.
public struct TextPlace: Sendable, Hashable {
  /// The line, counted from 1.
  public var line: Int
  /// The column in characters (Unicode scalars), counted from 1.
  public var column: Int
  /// How many bytes stand before it.
  public var byte: Int

  /// Creates a place; the beginning of a text when nothing is said.
  public init(line: Int = 1, column: Int = 1, byte: Int = 0) {
    self.line = line
    self.column = column
    self.byte = byte
  }

  /// The place as one in a file.
  public func location(in file: String) -> SourceLocation {
    SourceLocation(file: file, line: line, column: column)
  }

  /// Moves behind `bytes[range]`; bytes behind the range only tell whether its last CR ends a line.
  ///
  /// - Complexity: O(bytes).
  public mutating func advance(over bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    byte += range.count
    let ends = Self.lineEnds(bytes, range)
    guard ends > 0 else {
      column += Self.characters(bytes, range)
      return
    }
    line += ends
    var last = range.upperBound
    while last > range.lowerBound, !Self.isLineEnd(bytes, last - 1) { last -= 1 }
    column = 1 + Self.characters(bytes, last..<range.upperBound)
  }

  /// The place behind `bytes[range]`.
  public func advanced(over bytes: UnsafeRawBufferPointer, in range: Range<Int>) -> TextPlace {
    var copy = self
    copy.advance(over: bytes, in: range)
    return copy
  }

  private static func isLineEnd(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    bytes[index] == 10
      || bytes[index] == 13 && (index + 1 == bytes.count || bytes[index + 1] != 10)
  }

  private static func lineEnds(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    var total = 0
    var index = range.lowerBound
    while let found = first(10, bytes, index..<range.upperBound) {
      total += 1
      index = found + 1
    }
    index = range.lowerBound
    while let found = first(13, bytes, index..<range.upperBound) {
      if isLineEnd(bytes, found) { total += 1 }
      index = found + 1
    }
    return total
  }

  /// Where `byte` first is; the C library looks at many bytes at a time, with what the processor has.
  private static func first(
    _ byte: Int32, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
  ) -> Int? {
    guard !range.isEmpty, let base = bytes.baseAddress,
      let found = memchr(base + range.lowerBound, byte, range.count)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// How many bytes begin a character.
  private static func characters(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    var total = 0
    for index in range where bytes[index] & 0xC0 != 0x80 { total += 1 }
    return total
  }
}
