/// Bytes that grow at the end: what writers and row mappers append to.
///
/// Not copyable, so that growing never copies by accident; ``finish()`` hands the storage over to a
/// ``ByteBuffer`` without copying.
public struct ByteBuilder: ~Copyable {
  /// The number of bytes appended so far.
  public private(set) var count = 0
  /// The bytes it has room for before it grows.
  public private(set) var capacity: Int
  private var base: UnsafeMutableRawPointer

  /// Creates an empty builder with room for `capacity` bytes.
  public init(capacity: Int = 1024) {
    let (start, size) = ByteStorage.allocate(max(capacity, 64) + ByteBuffer.padding)
    base = start
    self.capacity = size - ByteBuffer.padding
  }

  deinit { ByteStorage.deallocate(base, capacity + ByteBuffer.padding) }

  /// Appends one byte.
  @inline(__always)
  public mutating func append(_ byte: UInt8) {
    reserve(1)
    base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends the bytes of `other`.
  @inline(__always)
  public mutating func append(_ other: UnsafeRawBufferPointer) {
    guard let start = other.baseAddress else { return }
    reserve(other.count)
    (base + count).copyMemory(from: start, byteCount: other.count)
    count += other.count
  }

  /// Appends `bytes`.
  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Appends a range of `buffer`, which must lie inside its content.
  public mutating func append(_ buffer: ByteBuffer, _ range: Range<Int>) {
    buffer.withUnsafeBytes { append(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// Appends the UTF-8 bytes of `text`.
  public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends the bytes of a literal.
  public mutating func append(literal text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Lets `body` write up to `maximum` bytes at the end; it returns how many it wrote.
  @inline(__always)
  public mutating func append(
    maximum: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    reserve(maximum)
    let written = body(UnsafeMutableRawBufferPointer(start: base + count, count: maximum))
    precondition(written >= 0 && written <= maximum)
    count += written
  }

  /// Forgets the bytes from `newCount` on.
  public mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count)
    count = newCount
  }

  /// Forgets everything, keeping the storage.
  public mutating func removeAll() { count = 0 }

  /// Calls `body` with the bytes so far.
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// A copy of the bytes so far.
  public func copy() -> [UInt8] { withUnsafeBytes { Array($0) } }

  /// The bytes as an immutable buffer; the builder is used up.
  public consuming func finish() -> ByteBuffer {
    let buffer = ByteBuffer(adopting: base, count: count, size: capacity + ByteBuffer.padding)
    discard self
    return buffer
  }

  @inline(__always)
  private mutating func reserve(_ additional: Int) {
    if count + additional > capacity { grow(additional) }
  }

  @inline(never)
  private mutating func grow(_ additional: Int) {
    let (larger, size) = ByteStorage.allocate(
      max(count + additional, capacity * 2) + ByteBuffer.padding)
    larger.copyMemory(from: base, byteCount: count)
    ByteStorage.deallocate(base, capacity + ByteBuffer.padding)
    base = larger
    capacity = size - ByteBuffer.padding
  }
}
