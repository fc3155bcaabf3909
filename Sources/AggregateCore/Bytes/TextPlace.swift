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
  /// - Complexity: O(bytes), 32 at a time.
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
    var i = range.lowerBound
    let one = SIMD32<UInt8>(repeating: 1)
    // The byte behind each is looked at too.
    while i + 33 <= range.upperBound {
      let blocks = min(255, (range.upperBound - 1 - i) / 32)
      var sums = SIMD32<UInt8>()
      for _ in 0..<blocks {
        let here = bytes.loadUnaligned(fromByteOffset: i, as: SIMD32<UInt8>.self)
        let next = bytes.loadUnaligned(fromByteOffset: i + 1, as: SIMD32<UInt8>.self)
        let isEnd = (here .== 10) .| ((here .== 13) .& (next .!= 10))
        sums &+= SIMD32<UInt8>().replacing(with: one, where: isEnd)
        i += 32
      }
      total += Int(SIMD32<UInt16>(truncatingIfNeeded: sums).wrappedSum())
    }
    while i < range.upperBound {
      if isLineEnd(bytes, i) { total += 1 }
      i += 1
    }
    return total
  }

  /// How many bytes begin a character.
  private static func characters(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    var total = 0
    var i = range.lowerBound
    let one = SIMD32<UInt8>(repeating: 1)
    while i + 32 <= range.upperBound {
      let blocks = min(255, (range.upperBound - i) / 32)
      var sums = SIMD32<UInt8>()
      for _ in 0..<blocks {
        let here = bytes.loadUnaligned(fromByteOffset: i, as: SIMD32<UInt8>.self)
        sums &+= SIMD32<UInt8>().replacing(with: one, where: (here & 0xC0) .!= 0x80)
        i += 32
      }
      total += Int(SIMD32<UInt16>(truncatingIfNeeded: sums).wrappedSum())
    }
    while i < range.upperBound {
      if bytes[i] & 0xC0 != 0x80 { total += 1 }
      i += 1
    }
    return total
  }
}
