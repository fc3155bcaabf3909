public import AggregateCore

/// Writes an Excel workbook of one sheet, as a stream.
///
/// The first row has the names and stays in sight. Dates and times are numbers with a style, times in UTC.
/// Numbers of more than 15 digits, which Excel would round, are text.
public final class XLSXWriter: Writer {
  static let spec = FormatSpec(
    "xlsx", "An Excel workbook of one sheet; longer numbers than Excel keeps are text.",
    extensions: ["xlsx"], isFlat: true, writing: .writer { try XLSXWriter(sheet: $0.title) })

  /// How many rows and columns a sheet has, and how many characters a cell.
  private static let mostRows = 1_048_576
  private static let mostColumns = 16_384

  private let title: String
  private var zip = ZipWriter()
  private var cells = XLSXCells([])
  private var rowCount = 0

  /// Creates a writer of a sheet that is called `sheet` as far as Excel allows it.
  public init(sheet: String) throws { title = Self.sheetName(sheet) }

  /// Appends all parts but the sheet, and its first row.
  ///
  /// - Throws: ``AggregateError`` with code `limit` for more columns than a sheet has.
  public func begin(_ schema: Schema, into out: inout ByteBuilder) throws {
    guard schema.columns.count <= Self.mostColumns else {
      throw AggregateError(
        .limit, "a sheet has \(Self.mostColumns) columns, not \(schema.columns.count)",
        hint: "select fewer, or write csv")
    }
    for part in XLSXParts.fixed(sheet: title) {
      try zip.store(part.name, part.text, into: &out)
    }
    try zip.begin("xl/worksheets/sheet1.xml", into: &out)
    cells = XLSXCells(schema.columns)
    var xml = ByteBuilder()
    xml.append(XLSXParts.sheetStart)
    if !schema.columns.isEmpty {
      rowCount = 1
      try cells.header(into: &xml)
    }
    try put(xml.finish(), into: &out)
  }

  /// Appends the rows of `batch`.
  ///
  /// - Throws: ``AggregateError`` with code `limit` for more rows than a sheet has, or too long a text.
  public func write(_ batch: Batch, into out: inout ByteBuilder) throws {
    if batch.columns.isEmpty || batch.rowCount == 0 { return }
    guard rowCount + batch.rowCount <= Self.mostRows else {
      throw AggregateError(
        .limit, "a sheet has \(Self.mostRows) rows, the one with the names included",
        hint: "write csv, or fewer rows: --limit \(Self.mostRows - 1)")
    }
    var xml = ByteBuilder(capacity: batch.rowCount * batch.columns.count * 32)
    let columns = batch.columns.map { Rendering.cells($0, decodingEscapes: true) }
    for row in 0..<batch.rowCount {
      rowCount += 1
      try cells.append(columns, row, number: rowCount, into: &xml)
    }
    try put(xml.finish(), into: &out)
  }

  /// Ends the sheet and the archive.
  public func finish(into out: inout ByteBuilder) throws {
    var xml = ByteBuilder()
    xml.append(XLSXParts.sheetEnd)
    try put(xml.finish(), into: &out)
    try zip.end(into: &out)
    zip.finish(into: &out)
  }

  private func put(_ xml: ByteBuffer, into out: inout ByteBuilder) throws {
    try xml.withUnsafeBytes { try zip.append($0, into: &out) }
  }

  /// A name that Excel accepts: up to 31 characters, some of them not.
  static func sheetName(_ name: String) -> String {
    let allowed = name.unicodeScalars.map { scalar -> Character in
      "[]:*?/\\".unicodeScalars.contains(scalar) || scalar.value < 32 ? "_" : Character(scalar)
    }
    var short = ""
    for character in allowed where short.utf16.count + character.utf16.count <= 31 {
      short.append(character)
    }
    let isQuoted = short.hasPrefix("'") || short.hasSuffix("'")
    return short.isEmpty || isQuoted || short.lowercased() == "history" ? "rows" : short
  }
}
