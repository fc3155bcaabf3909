public import AggregateCore

/// Encodes batches as JSON objects: one per line (NDJSON), or as the elements of one array (JSON).
///
/// Absent members are left out, null is written, numbers stay byte for byte, text is escaped no more
/// than it must be, and the members of the overflow column stand among the others.
public struct NDJSONEncoder: BatchEncoder {
  /// What the rows are part of.
  public enum Frame: Sendable {
    /// One object per line.
    case lines
    /// One array, an element per line.
    case array
  }

  private let frame: Frame

  /// Creates an encoder.
  public init(_ frame: Frame = .lines) { self.frame = frame }

  /// In an array every row begins with `,`; the line end behind it stays.
  public var separatorLength: Int { frame == .array ? 1 : 0 }

  /// `[`, in an array.
  public func prologue(_ schema: Schema) throws -> [UInt8] {
    frame == .array ? Array("[".utf8) : []
  }

  /// `]` and a line end, in an array.
  public func epilogue(isEmpty: Bool) -> [UInt8] {
    frame == .array ? Array((isEmpty ? "]\n" : "\n]\n").utf8) : []
  }

  /// Appends the rows of `batch`.
  public func encode(_ batch: Batch, into out: inout ByteBuilder) throws {
    let keys = Keys(batch.schema)
    let rows = RowBlocks(batch, decodingEscapes: false, nonFinite: false)
    if batch.schema.columns.isEmpty {
      for _ in 0..<batch.rowCount { out.append(frame == .array ? ",\n{}" : "{}\n") }
      return
    }
    rows.forEach { block in
      // A control character takes six bytes; long cells are counted rather than feared.
      let most = block.byteCount > 1 << 20 ? Self.exactBound(block) : block.byteCount * 6
      let room = most + block.rowCount * (keys.total + block.columnCount * 8 + 8)
      out.append(maximum: room + RawWriter.slack) { room in
        guard var writer = RawWriter(room) else { return 0 }
        encode(block, keys, to: &writer)
        return writer.count
      }
    }
  }

  private func encode(_ block: RowBlocks.Block, _ keys: Keys, to writer: inout RawWriter) {
    let width = block.columnCount
    keys.withUnsafeKeys { base, ends in
      for row in 0..<block.rowCount {
        if frame == .array {
          writer.write(UInt8(ascii: ","))
          writer.write(10)
        }
        // Every member begins with a comma; the first comma then becomes the brace.
        let start = writer.count
        let cells = block.cells + row &* width
        var keyStart = 0
        for column in 0..<width {
          let keyEnd = ends[column]
          defer { keyStart = keyEnd }
          let cell = cells[column]
          let kind = cell.kind
          if kind == .absent { continue }
          let source = block.bases[column] + cell.offset
          if column == keys.overflow && kind == .object {
            Self.splice(source, cell.length, to: &writer) { keys.isTaken($0, by: cells) }
            continue
          }
          writer.copyPadded(base + keyStart, keyEnd &- keyStart)
          Self.write(kind, source, cell.length, to: &writer)
        }
        if writer.count == start {
          writer.write(UInt8(ascii: "{"))
        } else {
          writer.replace(at: start, UInt8(ascii: "{"))
        }
        writer.write(UInt8(ascii: "}"))
        if frame == .lines { writer.write(10) }
      }
    }
  }

  @inline(__always)
  private static func write(
    _ kind: CellKind, _ source: UnsafeRawPointer, _ length: Int, to writer: inout RawWriter
  ) {
    switch kind {
    case .integer, .real: writer.copyPadded(source, length)
    case .text:
      writer.write(UInt8(ascii: "\""))
      if !writer.copyUnless(source, length, specials) {
        escape(UnsafeRawBufferPointer(start: source, count: length), to: &writer)
      }
      writer.write(UInt8(ascii: "\""))
    case .escapedText:
      writer.write(UInt8(ascii: "\""))
      writer.copyPadded(source, length)
      writer.write(UInt8(ascii: "\""))
    case .absent, .null: write("null", to: &writer)
    case .true: write("true", to: &writer)
    case .false: write("false", to: &writer)
    case .object, .array: nested(source, length, to: &writer)
    }
  }

  @inline(__always)
  private static func write(_ word: StaticString, to writer: inout RawWriter) {
    writer.copy(UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// Marks quotes, backslashes and control characters.
  @inline(__always)
  private static func specials(_ word: UInt64) -> UInt64 {
    let quotes = Word.nonzero(word ^ Word.repeating(UInt8(ascii: "\"")))
    let slashes = Word.nonzero(word ^ Word.repeating(UInt8(ascii: "\\")))
    // Below 32: neither of the three highest bits is set.
    let high = (word | word &<< 1 | word &<< 2) & 0x8080_8080_8080_8080
    return Word.marks(quotes & slashes) | (~high & 0x8080_8080_8080_8080)
  }

  private static func nested(
    _ source: UnsafeRawPointer, _ length: Int, to writer: inout RawWriter
  ) {
    let text = UnsafeRawBufferPointer(start: source, count: length)
    if text.firstIndex(of: 10, from: 0) == nil && text.firstIndex(of: 13, from: 0) == nil {
      return writer.copyPadded(source, length)
    }
    var out = ByteBuilder(capacity: length)
    JSONBytes.minify(text, into: &out)
    out.withUnsafeBytes { writer.copy($0) }
  }

  /// Writes the members of an object among those of the row, but those that are there already.
  private static func splice(
    _ source: UnsafeRawPointer, _ length: Int, to writer: inout RawWriter,
    unless isTaken: (UnsafeRawBufferPointer) -> Bool
  ) {
    let text = UnsafeRawBufferPointer(start: source, count: length)
    for item in JSONBytes.items(text) {
      if isTaken(UnsafeRawBufferPointer(rebasing: text[item])) { continue }
      writer.write(UInt8(ascii: ","))
      nested(source + item.lowerBound, item.count, to: &writer)
    }
  }

  private static func escape(_ text: UnsafeRawBufferPointer, to writer: inout RawWriter) {
    var out = ByteBuilder(capacity: text.count + 32)
    EscapedText.encode(text, into: &out)
    out.withUnsafeBytes { writer.copy($0) }
  }

  /// The room a block of long cells needs: every cell once, and five bytes for every special one.
  private static func exactBound(_ block: RowBlocks.Block) -> Int {
    var total = 0
    for row in 0..<block.rowCount {
      for column in 0..<block.columnCount {
        let cell = block.cells[row * block.columnCount + column]
        total += cell.length + 16
        if cell.kind == .text {
          let text = UnsafeRawBufferPointer(
            start: block.bases[column] + cell.offset, count: cell.length)
          for byte in text where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == 0x5C {
            total += 5
          }
        }
      }
    }
    return total
  }

  /// `,"name":` of every column, one behind the other.
  private struct Keys {
    private let bytes: ByteBuffer
    private let ends: [Int]
    /// How many bytes all keys have together.
    let total: Int
    /// The column whose members stand among the others; -1 for none.
    let overflow: Int
    /// The columns by name, when there may be members of the same names.
    private let columns: [String: Int]

    init(_ schema: Schema) {
      var bytes: [UInt8] = []
      var ends: [Int] = []
      for name in schema.names {
        bytes += Array(",".utf8) + Array(EscapedText.quoted(name).utf8) + Array(":".utf8)
        ends.append(bytes.count)
      }
      self.bytes = ByteBuffer(bytes)
      self.ends = ends
      total = bytes.count
      overflow = schema.isOpen ? schema.columns.count - 1 : -1
      let own = schema.isOpen ? schema.names.dropLast() : []
      columns = Dictionary(uniqueKeysWithValues: zip(own, own.indices))
    }

    /// Whether a column of the row has the name of `member`, and is written.
    func isTaken(_ member: UnsafeRawBufferPointer, by cells: UnsafePointer<Cell>) -> Bool {
      columns[JSONBytes.key(of: member)].map { cells[$0].kind != .absent } ?? false
    }

    @inline(__always)
    func withUnsafeKeys(_ body: (UnsafeRawPointer, Span<Int>) -> Void) {
      bytes.withUnsafeBytes { bytes in
        if let base = bytes.baseAddress { body(base, ends.span) }
      }
    }
  }
}
