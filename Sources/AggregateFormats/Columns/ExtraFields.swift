internal import AggregateCore

/// The new fields of a batch, handled as the policy says: an error, nothing, or an object per row.
struct ExtraFields {
  private let policy: NewColumnPolicy
  private var rows: [[UInt8]]
  private var isEmpty = true

  init(rowCount: Int, policy: NewColumnPolicy) {
    self.policy = policy
    rows = policy == .extra ? Array(repeating: [], count: rowCount) : []
  }

  /// Adds the values of the field `name`, one cell per row; absent where a row has none.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when the policy is `error`.
  mutating func add(_ values: SpanColumn, name: String) throws {
    guard values.cells.contains(where: { $0.kind != .absent }) else { return }
    if policy == .error { throw Self.unexpected(name) }
    if policy == .drop { return }
    let key = Array((EscapedText.quoted(name) + ":").utf8)
    for (row, cell) in values.cells.enumerated() where cell.kind != .absent {
      append(key + Self.json(cell, values.buffer), row)
    }
  }

  /// Adds the members of the objects in an overflow column, but for the one called `known`.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when the policy is `error`.
  mutating func add(members column: Column, except known: String? = nil) throws {
    guard case .spans(let spans) = column, policy != .drop else { return }
    if known == nil {
      let cells = spans.cells.map { $0.kind == .object || $0.kind.isNull ? .absent : $0 }
      try add(SpanColumn(buffer: spans.buffer, cells: cells), name: Schema.overflowName)
    }
    for (row, cell) in spans.cells.enumerated() where cell.kind == .object {
      try spans.buffer.withUnsafeBytes { bytes in
        let text = UnsafeRawBufferPointer(rebasing: bytes[cell.range])
        for item in JSONBytes.items(text) {
          if policy == .error || known != nil {
            let name = JSONBytes.key(of: UnsafeRawBufferPointer(rebasing: text[item]))
            if name == known { continue }
            if policy == .error { throw Self.unexpected(name) }
          }
          append(Array(text[item]), row)
        }
      }
    }
  }

  /// The column of objects; null where a row has no new field.
  func column() -> Column {
    guard !isEmpty else { return .nulls(rows.count) }
    var bytes: [UInt8] = []
    let cells = rows.map { members -> Cell in
      if members.isEmpty { return .null }
      let start = bytes.count
      bytes.append(UInt8(ascii: "{"))
      bytes += members
      bytes.append(UInt8(ascii: "}"))
      return Cell(.object, offset: start, length: bytes.count - start)
    }
    return .spans(SpanColumn(buffer: ByteBuffer(bytes), cells: cells))
  }

  private mutating func append(_ member: [UInt8], _ row: Int) {
    isEmpty = false
    if !rows[row].isEmpty { rows[row].append(UInt8(ascii: ",")) }
    rows[row] += member
  }

  private static func json(_ cell: Cell, _ buffer: ByteBuffer) -> [UInt8] {
    switch cell.kind {
    case .absent, .null: Array("null".utf8)
    case .true: Array("true".utf8)
    case .false: Array("false".utf8)
    case .text: Array(EscapedText.quoted(buffer.text(cell.range)).utf8)
    case .escapedText: [0x22] + buffer.copy(cell.range) + [0x22]
    case .integer, .real, .object, .array: buffer.copy(cell.range)
    }
  }

  private static func unexpected(_ name: String) -> AggregateError {
    AggregateError(
      .badData, "the field “\(name)” is new: the first rows, which decided the columns, lack it",
      hint: "set schema: { on_new_column: extra } (or drop), raise schema: { sample: N }, "
        + "select the columns, or write ndjson")
  }
}
