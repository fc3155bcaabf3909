#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The content of a TZif file (RFC 9636), versions 1 to 4.
struct ZoneFile {
  /// When an offset begins, in seconds since 1970, ascending.
  private(set) var transitions: [Int64] = []
  /// The offset from each transition on, in seconds.
  private(set) var offsets: [Int32] = []
  /// The offset before the first transition.
  private(set) var firstOffset: Int32 = 0
  /// The rule for times after the last transition.
  private(set) var footer: PosixZone?

  /// Reads a file; nil when it is not one.
  init?(_ bytes: [UInt8]) {
    guard let first = Header(bytes, at: 0) else { return nil }
    var header = first
    var start = 44
    var width = 4
    if first.version >= 2 {
      let second = 44 + first.blockLength(4)
      guard let found = Header(bytes, at: second) else { return nil }
      header = found
      start = second + 44
      width = 8
    }
    guard start + header.blockLength(width) <= bytes.count, header.types > 0 else { return nil }
    let indexes = start + header.times * width
    let types = indexes + header.times
    func offset(ofType type: Int) -> Int32? {
      type < header.types
        ? Int32(truncatingIfNeeded: Self.signed(bytes, types + type * 6, 4)) : nil
    }
    guard let initial = offset(ofType: 0) else { return nil }
    firstOffset = initial
    for i in 0..<header.times {
      guard let next = offset(ofType: Int(bytes[indexes + i])) else { return nil }
      transitions.append(Self.signed(bytes, start + i * width, width))
      offsets.append(next)
    }
    if width == 8 {
      let tail = bytes[(start + header.blockLength(width))...]
      let text = tail.dropFirst().prefix { $0 != 10 }
      footer = PosixZone(String(decoding: text, as: UTF8.self))
    }
  }

  private struct Header {
    let version: Int
    let times: Int
    let types: Int
    private let leaps: Int
    private let characters: Int
    private let standards: Int
    private let universals: Int

    init?(_ bytes: [UInt8], at start: Int) {
      guard start + 44 <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8)
      else { return nil }
      let digit = bytes[start + 4]
      version = digit == 0 ? 1 : Int(digit) - 48
      func count(_ index: Int) -> Int { Int(signed(bytes, start + 20 + index * 4, 4)) }
      universals = count(0)
      standards = count(1)
      leaps = count(2)
      times = count(3)
      types = count(4)
      characters = count(5)
      let all = [universals, standards, leaps, times, types, characters]
      guard all.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
    }

    func blockLength(_ width: Int) -> Int {
      times * (width + 1) + types * 6 + characters + leaps * (width + 4) + standards + universals
    }
  }

  private static func signed(_ bytes: [UInt8], _ start: Int, _ width: Int) -> Int64 {
    var value: UInt64 = bytes[start] >= 0x80 ? .max : 0
    for byte in bytes[start..<start + width] { value = value << 8 | UInt64(byte) }
    return Int64(bitPattern: value)
  }

  /// The content of a small file; nil when it cannot be read.
  static func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.count < 1 << 20 {
      let got = read(descriptor, &chunk, chunk.count)
      if got <= 0 { return got == 0 ? bytes : nil }
      bytes.append(contentsOf: chunk[..<got])
    }
    return nil
  }
}
