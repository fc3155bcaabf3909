public import AggregateCore

/// Encodes batches as CSV by RFC 4180: quotes only where they are needed.
///
/// Null and absent are an unquoted empty cell (or the null text), the empty text is `""`, and text
/// that equals the null text is quoted, so that the three stay apart. Nested values are JSON text.
public struct CSVEncoder: BatchEncoder {
  private let dialect: CSVDialect
  private let nullText: [UInt8]
  private let lineEnd: [UInt8]
  /// How many bytes a cell can take beside its own, twice: quotes, guard, delimiter.
  private let overhead: Int

  /// Creates an encoder.
  public init(_ dialect: CSVDialect = CSVDialect()) {
    self.dialect = dialect
    nullText = Array(dialect.nullText.utf8)
    lineEnd = dialect.endsLinesWithCRLF ? [13, 10] : [10]
    overhead = 8 + nullText.count
  }

  /// None: a row ends itself.
  public var separatorLength: Int { 0 }

  /// The byte order mark, where wanted, and the header.
  public func prologue(_ schema: Schema) throws -> [UInt8] {
    var bytes: [UInt8] = dialect.hasByteOrderMark ? [0xEF, 0xBB, 0xBF] : []
    guard dialect.hasHeader, !schema.columns.isEmpty else { return bytes }
    var out = ByteBuilder()
    for (index, name) in schema.names.enumerated() {
      if index > 0 { out.append(dialect.delimiter) }
      let text = ByteBuffer(name)
      out.append(maximum: text.count * 2 + overhead + RawWriter.slack) { room in
        guard var writer = RawWriter(room) else { return 0 }
        text.withUnsafeBytes { bytes in
          if let base = bytes.baseAddress { write(text: base, bytes.count, to: &writer) }
        }
        return writer.count
      }
    }
    out.append(lineEnd)
    bytes += out.copy()
    return bytes
  }

  /// Nothing.
  public func epilogue(isEmpty: Bool) -> [UInt8] { [] }

  /// Appends the rows of `batch`.
  public func encode(_ batch: Batch, into out: inout ByteBuilder) throws {
    if batch.schema.columns.isEmpty { return }
    let batch = dialect.listSeparator.map { ListJoining.joined(batch, separator: $0) } ?? batch
    let rows = RowBlocks(batch, decodingEscapes: true)
    let marks = Marks(delimiter: dialect.delimiter)
    rows.forEach { block in
      let most =
        block.byteCount * 2 + block.rowCount * (block.columnCount * overhead + lineEnd.count)
      out.append(maximum: most + RawWriter.slack) { room in
        guard var writer = RawWriter(room) else { return 0 }
        encode(block, marks, to: &writer)
        return writer.count
      }
    }
  }

  private func encode(_ block: RowBlocks.Block, _ marks: Marks, to writer: inout RawWriter) {
    let width = block.columnCount
    for row in 0..<block.rowCount {
      let cells = block.cells + row &* width
      for column in 0..<width {
        if column > 0 { writer.write(dialect.delimiter) }
        let cell = cells[column]
        let source = block.bases[column] + cell.offset
        switch cell.kind {
        case .integer, .real: writer.copyPadded(source, cell.length)
        case .text:
          if cell.length > 0 && nullText.isEmpty && !dialect.guardsFormulas,
            writer.copyUnless(source, cell.length, marks.of)
          {
            continue
          }
          write(text: source, cell.length, to: &writer)
        case .absent, .null:
          if !nullText.isEmpty { nullText.withUnsafeBytes { writer.copy($0) } }
        case .true: write(word: 0x6575_7274, 4, to: &writer)
        case .false: write(word: 0x65_736C_6166, 5, to: &writer)
        case .object, .array, .escapedText: write(text: source, cell.length, to: &writer)
        }
      }
      if lineEnd.count == 2 { writer.write(13) }
      writer.write(10)
    }
  }

  private func write(word: UInt64, _ length: Int, to writer: inout RawWriter) {
    for index in 0..<length {
      writer.write(UInt8(truncatingIfNeeded: word >> UInt64(index * 8)))
    }
  }

  /// Writes text, quoted where it must be.
  private func write(text base: UnsafeRawPointer, _ length: Int, to writer: inout RawWriter) {
    let text = UnsafeRawBufferPointer(start: base, count: length)
    let quote = UInt8(ascii: "\"")
    let isGuarded = dialect.guardsFormulas && Self.isFormula(text)
    var needsQuotes = length == 0 || (!isGuarded && text.equals(nullText))
    for byte in text where byte == dialect.delimiter || byte == quote || byte == 10 || byte == 13 {
      needsQuotes = true
      break
    }
    if needsQuotes { writer.write(quote) }
    if isGuarded { writer.write(UInt8(ascii: "'")) }
    var start = 0
    while needsQuotes, let found = text.firstIndex(of: quote, from: start) {
      writer.copy(UnsafeRawBufferPointer(rebasing: text[start...found]))
      writer.write(quote)
      start = found + 1
    }
    writer.copy(UnsafeRawBufferPointer(rebasing: text[start...]))
    if needsQuotes { writer.write(quote) }
  }

  /// Whether a spreadsheet would take the text for a formula; numbers are none.
  private static func isFormula(_ text: UnsafeRawBufferPointer) -> Bool {
    switch text.first {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 9, 13:
      NumberText.kind(text) == nil
    default: false
    }
  }

  /// Finds the bytes that make quotes necessary.
  private struct Marks {
    let delimiters: UInt64
    private let quotes = Word.repeating(UInt8(ascii: "\""))
    private let feeds = Word.repeating(10)
    private let returns = Word.repeating(13)

    init(delimiter: UInt8) { delimiters = Word.repeating(delimiter) }

    @inline(__always)
    func of(_ word: UInt64) -> UInt64 {
      Word.marks(
        Word.nonzero(word ^ delimiters) & Word.nonzero(word ^ quotes) & Word.nonzero(word ^ feeds)
          & Word.nonzero(word ^ returns))
    }
  }
}
