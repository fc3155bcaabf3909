internal import AggregateCore

/// Writes a ZIP archive as a stream: nothing that was written is changed later.
///
/// The same entries give the same bytes: all have the same time.
struct ZipWriter: ~Copyable {
  private struct Entry {
    let name: String
    let offset: Int
    var isCompressed = false
    var checksum: UInt32 = 0
    var size = 0
    var compressedSize = 0
  }

  /// How many bytes are compressed at once; their cut decides the output, so it is always the same.
  private static let blockSize = 64 * 1024
  /// The first of January 1980, with which the format begins.
  private static let date: UInt16 = 0x0021

  private var entries: [Entry] = []
  private var offset = 0
  private var encoder: GzipEncoder?
  private var waiting = ByteBuilder(capacity: ZipWriter.blockSize)

  /// Appends an entry that is not compressed.
  mutating func store(_ name: String, _ text: String, into out: inout ByteBuilder) throws {
    var text = text
    let (checksum, size) = text.withUTF8 { bytes in
      (GzipEncoder.checksum(UnsafeRawBufferPointer(bytes)), bytes.count)
    }
    var entry = Entry(name: name, offset: offset)
    (entry.checksum, entry.size, entry.compressedSize) = (checksum, size, size)
    entries.append(entry)
    header(entry, into: &out)
    out.append(text)
    offset += size
  }

  /// Begins an entry that is compressed as it comes.
  mutating func begin(_ name: String, into out: inout ByteBuilder) throws {
    var entry = Entry(name: name, offset: offset)
    entry.isCompressed = true
    entries.append(entry)
    encoder = try GzipEncoder(isRaw: true)
    header(entry, into: &out)
  }

  /// Appends bytes to the entry that was begun.
  ///
  /// - Throws: ``AggregateError`` with code `limit` for more than 4 GB.
  mutating func append(_ bytes: UnsafeRawBufferPointer, into out: inout ByteBuilder) throws {
    var start = 0
    while start < bytes.count {
      let count = min(bytes.count - start, Self.blockSize - waiting.count)
      waiting.append(UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
      start += count
      if waiting.count == Self.blockSize { try compress(into: &out) }
    }
  }

  private mutating func compress(into out: inout ByteBuilder) throws {
    guard let encoder, let last = entries.indices.last else { return }
    var compressed = ByteBuilder(capacity: Self.blockSize)
    try waiting.withUnsafeBytes { bytes in
      entries[last].checksum = GzipEncoder.checksum(bytes, after: entries[last].checksum)
      try encoder.encode(bytes, into: &compressed)
    }
    entries[last].size += waiting.count
    waiting.removeAll()
    try take(compressed.finish(), into: &out)
  }

  private mutating func take(_ bytes: ByteBuffer, into out: inout ByteBuilder) throws {
    guard let last = entries.indices.last else { return }
    entries[last].compressedSize += bytes.count
    offset += bytes.count
    out.append(bytes, 0..<bytes.count)
    if entries[last].size > Int(UInt32.max) || offset > Int(UInt32.max) {
      throw AggregateError(
        .limit, "the sheet is larger than 4 GB, which the format xlsx does not allow",
        hint: "write csv, or fewer rows")
    }
  }

  /// Ends the entry that was begun.
  mutating func end(into out: inout ByteBuilder) throws {
    if waiting.count > 0 { try compress(into: &out) }
    var compressed = ByteBuilder()
    try encoder?.finish(into: &compressed)
    encoder = nil
    try take(compressed.finish(), into: &out)
    guard let entry = entries.last else { return }
    number(0x0807_4b50 as UInt32, into: &out)
    sizes(entry, into: &out)
    offset += 16
  }

  /// Appends the directory; the writer is used up.
  mutating func finish(into out: inout ByteBuilder) {
    let start = offset
    for entry in entries {
      number(0x0201_4b50 as UInt32, into: &out)
      number(20 as UInt16, into: &out)
      description(entry, sized: true, into: &out)
      for _ in 0..<4 { number(0 as UInt16, into: &out) }
      number(0 as UInt32, into: &out)
      number(UInt32(clamping: entry.offset), into: &out)
      out.append(entry.name)
      offset += 46 + entry.name.utf8.count
    }
    number(0x0605_4b50 as UInt32, into: &out)
    number(0 as UInt32, into: &out)
    for _ in 0..<2 { number(UInt16(clamping: entries.count), into: &out) }
    number(UInt32(clamping: offset - start), into: &out)
    number(UInt32(clamping: start), into: &out)
    number(0 as UInt16, into: &out)
  }

  private mutating func header(_ entry: Entry, into out: inout ByteBuilder) {
    number(0x0403_4b50 as UInt32, into: &out)
    description(entry, sized: !entry.isCompressed, into: &out)
    number(0 as UInt16, into: &out)
    out.append(entry.name)
    offset += 30 + entry.name.utf8.count
  }

  /// What both the entry and the directory say of it, up to the length of its name.
  private func description(_ entry: Entry, sized: Bool, into out: inout ByteBuilder) {
    number(20 as UInt16, into: &out)
    // Names are UTF-8; the sizes of what is compressed stand behind it.
    number(entry.isCompressed ? 0x0808 : 0x0800 as UInt16, into: &out)
    number(entry.isCompressed ? 8 : 0 as UInt16, into: &out)
    number(0 as UInt16, into: &out)
    number(Self.date, into: &out)
    sizes(sized ? entry : Entry(name: "", offset: 0), into: &out)
    number(UInt16(clamping: entry.name.utf8.count), into: &out)
  }

  private func sizes(_ entry: Entry, into out: inout ByteBuilder) {
    number(entry.checksum, into: &out)
    number(UInt32(clamping: entry.compressedSize), into: &out)
    number(UInt32(clamping: entry.size), into: &out)
  }

  private func number<T: FixedWidthInteger>(_ value: T, into out: inout ByteBuilder) {
    for index in 0..<T.bitWidth / 8 {
      out.append(UInt8(truncatingIfNeeded: value >> T(truncatingIfNeeded: index * 8)))
    }
  }
}
