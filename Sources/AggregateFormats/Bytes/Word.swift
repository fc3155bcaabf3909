/// Eight bytes at a time in one integer register: the searches that readers and writers live on.
///
/// Words are loaded from wherever a byte begins; buffers have readable bytes behind their content
/// (``ByteBuffer/padding``), so a load may reach past the end, never before the beginning.
enum Word {
  static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

  /// A word of eight times `byte`.
  @inline(__always)
  static func repeating(_ byte: UInt8) -> UInt64 { UInt64(byte) &* ones }

  /// The word at `offset`, the first byte lowest.
  @inline(__always)
  static func load(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Stores the word at `offset`.
  @inline(__always)
  static func store(_ word: UInt64, _ base: UnsafeMutableRawPointer, _ offset: Int) {
    base.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  /// In each byte: the high bit clear, exactly when the byte is zero; the other bits mean nothing.
  @inline(__always)
  static func nonzero(_ word: UInt64) -> UInt64 { ((word & low) &+ low) | word }

  /// The high bit of each byte that was zero in one of the words that `nonzero` made `combined` of.
  @inline(__always)
  static func marks(_ combined: UInt64) -> UInt64 { ~(combined | low) }

  /// The index of the first marked byte.
  @inline(__always)
  static func first(_ marks: UInt64) -> Int { marks.trailingZeroBitCount &>> 3 }

  /// A word whose bytes from `count` (below 8) on are all ones: such bytes are no ASCII character.
  @inline(__always)
  static func filler(from count: Int) -> UInt64 { ~0 &<< (UInt64(count) &* 8) }
}
