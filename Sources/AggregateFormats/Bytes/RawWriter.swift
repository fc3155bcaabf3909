/// Bytes written one behind the other into room that was reserved for the worst case.
///
/// Copies go eight bytes at a time and may run ``slack`` bytes past what counts; whoever reserves
/// adds that much.
struct RawWriter {
  /// How far behind the last byte a copy may write.
  static let slack = 16

  private let start: UnsafeMutableRawPointer
  private let limit: Int
  /// How many bytes were written.
  private(set) var count = 0

  /// Creates a writer into `room`, of which the last ``slack`` bytes stay unused.
  init?(_ room: UnsafeMutableRawBufferPointer) {
    guard let start = room.baseAddress, room.count >= Self.slack else { return nil }
    self.start = start
    limit = room.count - Self.slack
  }

  /// Where the next byte goes, `length` of them being inside the room.
  @inline(__always)
  private func room(for length: Int) -> UnsafeMutableRawPointer {
    precondition(count &+ length <= limit, "more was written than was reserved")
    return start + count
  }

  @inline(__always)
  mutating func write(_ byte: UInt8) {
    room(for: 1).storeBytes(of: byte, as: UInt8.self)
    count &+= 1
  }

  /// Replaces a byte that was written.
  @inline(__always)
  mutating func replace(at index: Int, _ byte: UInt8) {
    precondition(index < count)
    start.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
  }

  /// Forgets what was written from `newCount` on.
  @inline(__always)
  mutating func truncate(to newCount: Int) {
    precondition(newCount <= count)
    count = newCount
  }

  /// Copies bytes behind which eight more may be read.
  @inline(__always)
  mutating func copyPadded(_ source: UnsafeRawPointer, _ length: Int) {
    let target = room(for: length)
    if length <= 16 {
      Word.store(Word.load(source, 0), target, 0)
      if length > 8 { Word.store(Word.load(source, 8), target, 8) }
    } else {
      target.copyMemory(from: source, byteCount: length)
    }
    count &+= length
  }

  /// Copies bytes.
  @inline(__always)
  mutating func copy(_ source: UnsafeRawBufferPointer) {
    guard let base = source.baseAddress else { return }
    room(for: source.count).copyMemory(from: base, byteCount: source.count)
    count &+= source.count
  }

  /// Copies padded bytes and looks, eight at a time, for those that `mark` marks.
  ///
  /// - Returns: Whether none was marked; otherwise nothing counts as written.
  @inline(__always)
  mutating func copyUnless(
    _ source: UnsafeRawPointer, _ length: Int, _ mark: (UInt64) -> UInt64
  ) -> Bool {
    let target = room(for: length)
    var found: UInt64 = 0
    var i = 0
    while length &- i >= 8 {
      let word = Word.load(source, i)
      Word.store(word, target, i)
      found |= mark(word)
      i &+= 8
    }
    if i < length {
      let word = Word.load(source, i)
      Word.store(word, target, i)
      found |= mark(word | Word.filler(from: length &- i))
    }
    if found != 0 { return false }
    count &+= length
    return true
  }
}
