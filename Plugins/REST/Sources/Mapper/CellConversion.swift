internal import AggregateCore
internal import AggregateJSON

/// Makes the cells of a column have the type that was declared; what can't becomes null and is counted.
struct CellConversion {
  let declaration: ColumnDeclaration
  private(set) var lost = 0
  private(set) var example = ""

  init(_ declaration: ColumnDeclaration) { self.declaration = declaration }

  /// What is said of the lost values.
  var kind: String { "do not read as \(declaration.type.rawValue)" }

  /// The column with the declared type.
  mutating func convert(_ column: SpanColumn) -> Column {
    switch declaration.type {
    case .any, .json: return .spans(column)
    case .instant: return instants(column)
    case .date: return dates(column)
    case .int, .number, .bool, .text, .list:
      var rewriter = CellRewriter(column.buffer, count: column.cells.count)
      for cell in column.cells { convert(cell, of: column.buffer, &rewriter) }
      return .spans(rewriter.finish())
    }
  }

  private mutating func lose(_ cell: Cell, _ buffer: ByteBuffer) {
    if lost == 0 { example = buffer.text(cell.range) }
    lost += 1
  }

  private mutating func convert(
    _ cell: Cell, of buffer: ByteBuffer, _ rewriter: inout CellRewriter
  ) {
    if cell.kind.isNull { return rewriter.keep(cell) }
    let isDone =
      switch declaration.type {
      case .int: Self.int(cell, buffer, &rewriter)
      case .number: Self.number(cell, buffer, &rewriter)
      case .bool: Self.bool(cell, buffer, &rewriter)
      case .list: Self.list(cell, buffer, &rewriter)
      default: Self.text(cell, &rewriter)
      }
    if !isDone {
      lose(cell, buffer)
      rewriter.keep(.null)
    }
  }

  private static func int(
    _ cell: Cell, _ buffer: ByteBuffer, _ rewriter: inout CellRewriter
  ) -> Bool {
    if cell.kind == .integer {
      rewriter.keep(cell)
      return true
    }
    guard let text = written(cell, buffer) else { return false }
    if cell.kind == .text, NumberText.kind(text) == .integer {
      rewriter.keep(cell, as: .integer)
      return true
    }
    guard let whole = whole(text) else { return false }
    rewriter.write(.integer, String(whole))
    return true
  }

  private static func number(
    _ cell: Cell, _ buffer: ByteBuffer, _ rewriter: inout CellRewriter
  ) -> Bool {
    if cell.kind.isNumber {
      rewriter.keep(cell)
      return true
    }
    guard let text = written(cell, buffer) else { return false }
    if cell.kind == .text, let kind = NumberText.kind(text) {
      rewriter.keep(cell, as: kind)
      return true
    }
    guard let value = Double(text), value.isFinite else { return false }
    rewriter.write(.real, NumberText.shortest(value))
    return true
  }

  private static func bool(
    _ cell: Cell, _ buffer: ByteBuffer, _ rewriter: inout CellRewriter
  ) -> Bool {
    if cell.kind == .true || cell.kind == .false {
      rewriter.keep(cell)
      return true
    }
    switch written(cell, buffer)?.lowercased() {
    case "true", "yes", "on", "t", "y", "1": rewriter.write(.true, "true")
    case "false", "no", "off", "f", "n", "0": rewriter.write(.false, "false")
    default: return false
    }
    return true
  }

  private static func text(_ cell: Cell, _ rewriter: inout CellRewriter) -> Bool {
    switch cell.kind {
    case .true: rewriter.write(.text, "true")
    case .false: rewriter.write(.text, "false")
    case .text, .escapedText: rewriter.keep(cell)
    default: rewriter.keep(cell, as: .text)
    }
    return true
  }

  private static func list(
    _ cell: Cell, _ buffer: ByteBuffer, _ rewriter: inout CellRewriter
  ) -> Bool {
    if cell.kind == .array {
      rewriter.keep(cell)
      return true
    }
    guard let text = written(cell, buffer), text.hasPrefix("["),
      let document = try? JSONDocument(text), document.root.kind == .array
    else { return false }
    rewriter.write(.array, text)
    return true
  }

  private mutating func instants(_ column: SpanColumn) -> Column {
    var values: [Instant] = []
    var nulls: [Bool] = []
    for cell in column.cells {
      // A time that names no zone is UTC unless a zone is declared.
      let instant = reading(cell, column.buffer)?.instant(zone: declaration.zone ?? .utc)
      if instant == nil, !cell.kind.isNull { lose(cell, column.buffer) }
      values.append(instant ?? Instant(microseconds: 0))
      nulls.append(instant == nil)
    }
    return .instants(Vector(values, nulls: nulls.contains(true) ? nulls : nil))
  }

  private mutating func dates(_ column: SpanColumn) -> Column {
    var values: [CalendarDate] = []
    var nulls: [Bool] = []
    for cell in column.cells {
      var date: CalendarDate?
      if let reading = reading(cell, column.buffer) {
        date = reading.date
        // A point in time is on the date of the zone that was asked for.
        if !reading.isDateOnly, let zone = declaration.zone,
          let instant = reading.instant(zone: zone)
        {
          date = zone.date(at: instant)
        }
      }
      if date == nil, !cell.kind.isNull { lose(cell, column.buffer) }
      values.append(date ?? CalendarDate(days: 0))
      nulls.append(date == nil)
    }
    return .dates(Vector(values, nulls: nulls.contains(true) ? nulls : nil))
  }

  private func reading(_ cell: Cell, _ buffer: ByteBuffer) -> InstantReading? {
    switch cell.kind {
    case .text, .integer, .real:
      return buffer.withUnsafeBytes {
        declaration.format.read(UnsafeRawBufferPointer(rebasing: $0[cell.range]))
      }
    case .escapedText:
      var text = EscapedText.decoded(buffer, cell.range)
      return text.withUTF8 { declaration.format.read(UnsafeRawBufferPointer($0)) }
    default: return nil
    }
  }

  /// The text of a cell that is text or a number.
  private static func written(_ cell: Cell, _ buffer: ByteBuffer) -> String? {
    switch cell.kind {
    case .text, .integer, .real: buffer.text(cell.range)
    case .escapedText: EscapedText.decoded(buffer, cell.range)
    default: nil
    }
  }

  /// The whole number that a text such as `12.0` or `+12` means.
  private static func whole(_ text: String) -> Int64? {
    if let value = Int64(text) { return value }
    guard let value = Double(text), value.rounded() == value, abs(value) < 9_007_199_254_740_992
    else { return nil }
    return Int64(value)
  }
}
