internal import AggregateCore

/// Turns text of other encodings into UTF-8.
enum Transcoding {
  /// A source of UTF-8; nil when `source`, of which `block` is the beginning, is taken for UTF-8 already.
  static func source(
    of block: ByteBlock, _ source: any ByteSource, _ encoding: TextEncoding?
  ) -> (any ByteSource)? {
    let magic = block.buffer.copy(0..<min(2, block.buffer.count))
    switch encoding {
    case .utf8: return nil
    case .latin1, .utf16LittleEndian, .utf16BigEndian:
      return TranscodingSource(source, encoding ?? .latin1)
    case .utf16, nil:
      if magic == [0xFF, 0xFE] && !isUTF32(block) {
        return TranscodingSource(source, .utf16LittleEndian)
      }
      if magic == [0xFE, 0xFF] { return TranscodingSource(source, .utf16BigEndian) }
      return encoding == .utf16 ? TranscodingSource(source, .utf16LittleEndian) : nil
    }
  }

  private static func isUTF32(_ block: ByteBlock) -> Bool {
    block.buffer.count >= 4 && block.buffer.copy(2..<4) == [0, 0]
  }
}

/// The bytes of another source as UTF-8. A lone surrogate becomes U+FFFD.
///
/// Used by one task at a time, as ``ByteSource`` asks; that is what makes it sendable.
final class TranscodingSource: ByteSource, @unchecked Sendable {
  private let source: any ByteSource
  private let encoding: TextEncoding
  private var rest = RestOfBlock.none

  init(_ source: any ByteSource, _ encoding: TextEncoding) {
    self.source = source
    self.encoding = encoding
  }

  func read(
    behind rest: RestOfBlock, maximum: Int, patience: Duration
  ) async throws -> ByteBlock {
    var out = ByteBuilder(capacity: rest.range.count + maximum)
    out.append(rest.buffer, rest.range)
    while true {
      let block = try await source.read(
        behind: self.rest, maximum: max(4, maximum / 2), patience: patience)
      block.buffer.withUnsafeBytes { bytes in
        let used =
          encoding == .latin1
          ? Self.latin1(bytes, into: &out)
          : Self.utf16(
            bytes, bigEndian: encoding == .utf16BigEndian, isLast: block.isLast, into: &out)
        self.rest = RestOfBlock(block.buffer, used..<bytes.count)
      }
      if block.isLast || out.count > rest.range.count {
        return ByteBlock(out.finish(), isLast: block.isLast)
      }
    }
  }

  private static func latin1(
    _ bytes: UnsafeRawBufferPointer, into out: inout ByteBuilder
  ) -> Int {
    for byte in bytes {
      if byte < 0x80 {
        out.append(byte)
      } else {
        out.append(0xC0 | byte >> 6)
        out.append(0x80 | byte & 0x3F)
      }
    }
    return bytes.count
  }

  /// Appends whole characters; returns how many bytes they took.
  private static func utf16(
    _ bytes: UnsafeRawBufferPointer, bigEndian: Bool, isLast: Bool, into out: inout ByteBuilder
  ) -> Int {
    func unit(_ index: Int) -> UInt32 {
      let first = UInt32(bytes[index])
      let second = UInt32(bytes[index + 1])
      return bigEndian ? first << 8 | second : second << 8 | first
    }
    var i = 0
    while i + 1 < bytes.count {
      var value = unit(i)
      var length = 2
      if (0xD800..<0xDC00).contains(value) {
        if i + 3 >= bytes.count && !isLast { return i }
        if i + 3 < bytes.count, (0xDC00..<0xE000).contains(unit(i + 2)) {
          value = 0x10000 + (value - 0xD800) << 10 + (unit(i + 2) - 0xDC00)
          length = 4
        }
      }
      append(value, into: &out)
      i += length
    }
    if isLast && i < bytes.count {
      append(0xFFFD, into: &out)
      i = bytes.count
    }
    return i
  }

  private static func append(_ value: UInt32, into out: inout ByteBuilder) {
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { out.append(byte) }
  }
}
