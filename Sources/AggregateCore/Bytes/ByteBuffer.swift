/// Immutable bytes that the cells of a batch point into, shared without copying.
///
/// Behind the last byte lie ``padding`` zero bytes, so that parsers may load whole vectors.
/// The storage is written once, before the initializer returns, and never again: that is what
/// makes sharing across threads sound.
public final class ByteBuffer: @unchecked Sendable {
  /// Readable zero bytes behind the content.
  public static let padding = 64

  /// The number of bytes of content.
  public let count: Int
  private let base: UnsafeMutableRawPointer
  /// How many bytes the storage has.
  private let size: Int

  /// Creates a buffer of at most `capacity` bytes; `fill` writes them and returns how many it wrote.
  public init(
    capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Int
  ) rethrows {
    let (pointer, size) = ByteStorage.allocate(capacity + Self.padding)
    do {
      count = try fill(UnsafeMutableRawBufferPointer(start: pointer, count: capacity))
    } catch {
      ByteStorage.deallocate(pointer, size)
      throw error
    }
    precondition(count >= 0 && count <= capacity)
    (pointer + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
    base = pointer
    self.size = size
  }

  /// Creates a buffer with a copy of `bytes`.
  public convenience init(_ bytes: [UInt8]) {
    self.init(capacity: bytes.count) { target in
      bytes.withUnsafeBytes { target.copyMemory(from: $0) }
      return bytes.count
    }
  }

  /// Creates a buffer with the UTF-8 bytes of `text`.
  public convenience init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Takes over `pointer`, storage of `size` bytes, at least `count + padding`.
  init(adopting pointer: UnsafeMutableRawPointer, count: Int, size: Int) {
    (pointer + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
    self.base = pointer
    self.count = count
    self.size = size
  }

  deinit { ByteStorage.deallocate(base, size) }

  /// A buffer without content.
  public static let empty = ByteBuffer([UInt8]())

  /// The content, bounds-checked.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let start = UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
      return _overrideLifetime(Span(_unsafeStart: start, count: count), borrowing: self)
    }
  }

  /// Calls `body` with the content; ``padding`` more bytes may be read behind it.
  @inlinable
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(rawBytes)
  }

  @usableFromInline
  var rawBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// A copy of `range`, which must lie inside the content.
  public func copy(_ range: Range<Int>) -> [UInt8] {
    Array(rawBytes[range])
  }

  /// `range` as text; bytes that are not UTF-8 become U+FFFD.
  public func text(_ range: Range<Int>) -> String {
    String(decoding: rawBytes[range], as: UTF8.self)
  }

  /// The whole content as text; bytes that are not UTF-8 become U+FFFD.
  public var text: String { text(0..<count) }
}
