/// Builds batches row by row, for row mappers; values are appended in the order of the columns.
///
///     builder.append("London")
///     builder.append(12.5)
///     builder.endRow()
///
/// All bytes go to one buffer and every value becomes a cell, so nothing is allocated per row.
public struct BatchBuilder: ~Copyable {
  /// The schema of the rows.
  public let schema: Schema
  private var bytes = ByteBuilder(capacity: 16 * 1024)
  private var cells: [[Cell]]
  private var column = 0
  /// The number of whole rows so far.
  public private(set) var rowCount = 0

  /// Creates a builder of rows of `schema`.
  public init(schema: Schema) {
    self.schema = schema
    cells = Array(repeating: [], count: schema.columns.count)
  }

  /// Appends `cell` bytes of the given kind to the next column.
  @inline(__always)
  private mutating func put(_ kind: CellKind, from start: Int) {
    cells[column].append(Cell(kind, offset: start, length: bytes.count - start))
    column += 1
  }

  /// Appends text, or null for nil.
  public mutating func append(_ text: String?) {
    guard let text else { return appendNull() }
    let start = bytes.count
    bytes.append(text)
    put(.text, from: start)
  }

  /// Appends an integer, or null for nil.
  public mutating func append(_ value: Int64?) {
    guard let value else { return appendNull() }
    let start = bytes.count
    bytes.append(String(value))
    put(.integer, from: start)
  }

  /// Appends an integer, or null for nil.
  public mutating func append(_ value: Int?) { append(value.map(Int64.init)) }

  /// Appends a real number as its shortest text, or null for nil, infinity and NaN.
  public mutating func append(_ value: Double?) {
    guard let value, value.isFinite else { return appendNull() }
    let start = bytes.count
    let text = NumberText.shortest(value)
    bytes.append(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    put(.real, from: start)
  }

  /// Appends a number as it was written; it must have JSON's form. Null for nil.
  public mutating func append(number text: String?) {
    guard let text, let kind = NumberText.kind(text) else { return appendNull() }
    let start = bytes.count
    bytes.append(text)
    put(kind, from: start)
  }

  /// Appends a boolean, or null for nil.
  public mutating func append(_ value: Bool?) {
    guard let value else { return appendNull() }
    put(value ? .true : .false, from: bytes.count)
  }

  /// Appends a point in time as ISO 8601 in UTC, or null for nil.
  public mutating func append(_ value: Instant?) { append(value?.iso8601) }

  /// Appends a date as ISO 8601, or null for nil.
  public mutating func append(_ value: CalendarDate?) { append(value?.iso8601) }

  /// Appends a list of texts as a JSON array, or null for nil.
  public mutating func append(list values: [String]?) {
    guard let values else { return appendNull() }
    append(json: "[" + values.map(EscapedText.quoted).joined(separator: ",") + "]", kind: .array)
  }

  /// Appends valid JSON text of an object or an array, as `kind` says.
  public mutating func append(json text: String, kind: CellKind) {
    let start = bytes.count
    bytes.append(text)
    put(kind, from: start)
  }

  /// Appends a copy of a cell of another buffer.
  public mutating func append(_ cell: Cell, of buffer: ByteBuffer) {
    let start = bytes.count
    bytes.append(buffer, cell.range)
    put(cell.kind, from: start)
  }

  /// Appends a value.
  public mutating func append(_ value: Value) {
    switch value {
    case .absent:
      cells[column].append(.absent)
      column += 1
    case .null: appendNull()
    case .bool(let value): append(value)
    case .int(let value): append(value)
    case .double(let value): append(value)
    case .number(let text): append(number: text)
    case .text(let text): append(text)
    case .instant(let value): append(value)
    case .date(let value): append(value)
    case .json(let text): append(json: text, kind: text.utf8.first == 0x5B ? .array : .object)
    }
  }

  /// Appends null to the next column.
  public mutating func appendNull() {
    cells[column].append(.null)
    column += 1
  }

  /// Ends the row; every column must have its value.
  public mutating func endRow() {
    precondition(
      column == schema.columns.count, "a row of \(schema.columns.count) columns has \(column)")
    column = 0
    rowCount += 1
  }

  /// The rows as a batch; the builder is used up.
  public consuming func finish() -> Batch {
    let schema = self.schema
    let cells = self.cells
    let rows = rowCount
    let buffer = bytes.finish()
    return Batch(
      schema: schema,
      columns: cells.map { .spans(SpanColumn(buffer: buffer, cells: $0)) }, rowCount: rows)
  }
}
