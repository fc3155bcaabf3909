public import AggregateCore

/// Encodes batches as TSV: tabs, line ends and backslashes in values are written `\t`, `\n`, `\r`, `\\`.
///
/// There are no quotes; null and the empty text are both an empty cell unless there is a null text.
public struct TSVEncoder: BatchEncoder {
  private let dialect: CSVDialect
  private let nullText: [UInt8]

  /// Creates an encoder; the delimiter of the dialect does not matter.
  public init(_ dialect: CSVDialect = CSVDialect()) {
    self.dialect = dialect
    nullText = Array(dialect.nullText.utf8)
  }

  /// None: a row ends itself.
  public var separatorLength: Int { 0 }

  /// The byte order mark, where wanted, and the header.
  public func prologue(_ schema: Schema) throws -> [UInt8] {
    var out = ByteBuilder()
    if dialect.hasByteOrderMark { out.append([0xEF, 0xBB, 0xBF]) }
    guard dialect.hasHeader, !schema.columns.isEmpty else { return out.copy() }
    for (index, name) in schema.names.enumerated() {
      if index > 0 { out.append(9) }
      var name = name
      name.withUTF8 { Self.escape(UnsafeRawBufferPointer($0), into: &out) }
    }
    endLine(&out)
    return out.copy()
  }

  /// Nothing.
  public func epilogue(isEmpty: Bool) -> [UInt8] { [] }

  /// Appends the rows of `batch`.
  public func encode(_ batch: Batch, into out: inout ByteBuilder) throws {
    if batch.schema.columns.isEmpty { return }
    let batch = dialect.listSeparator.map { ListJoining.joined(batch, separator: $0) } ?? batch
    RowBlocks(batch, decodingEscapes: true).forEach { block in
      for row in 0..<block.rowCount {
        for column in 0..<block.columnCount {
          if column > 0 { out.append(9) }
          let cell = block.cells[row * block.columnCount + column]
          let bytes = UnsafeRawBufferPointer(
            start: block.bases[column] + cell.offset, count: cell.length)
          switch cell.kind {
          case .absent, .null: out.append(nullText)
          case .integer, .real: out.append(bytes)
          case .true: out.append(literal: "true")
          case .false: out.append(literal: "false")
          case .text, .escapedText, .object, .array: Self.escape(bytes, into: &out)
          }
        }
        endLine(&out)
      }
    }
  }

  private func endLine(_ out: inout ByteBuilder) {
    if dialect.endsLinesWithCRLF { out.append(13) }
    out.append(10)
  }

  private static func escape(_ text: UnsafeRawBufferPointer, into out: inout ByteBuilder) {
    var start = 0
    for index in 0..<text.count {
      let letter: UInt8
      switch text[index] {
      case 9: letter = UInt8(ascii: "t")
      case 10: letter = UInt8(ascii: "n")
      case 13: letter = UInt8(ascii: "r")
      case UInt8(ascii: "\\"): letter = UInt8(ascii: "\\")
      default: continue
      }
      out.append(UnsafeRawBufferPointer(rebasing: text[start..<index]))
      out.append(UInt8(ascii: "\\"))
      out.append(letter)
      start = index + 1
    }
    out.append(UnsafeRawBufferPointer(rebasing: text[start...]))
  }
}
