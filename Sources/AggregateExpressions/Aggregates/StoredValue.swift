import AggregateCore

/// A value of its own, kept beyond the batch it came from.
enum StoredValue {
  case none
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  /// A number as it was written.
  case number([UInt8])
  case text([UInt8])
  case instant(Instant)
  case date(CalendarDate)
  case interval(Interval)
  case nested([UInt8])

  init(_ value: CellValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .double(let value): self = .double(value)
    case .long(let bytes): self = .number(Array(bytes))
    case .text(let bytes): self = .text(Array(bytes))
    case .instant(let value): self = .instant(value)
    case .date(let value): self = .date(value)
    case .interval(let value): self = .interval(value)
    case .nested(let bytes): self = .nested(Array(bytes))
    }
  }

  func withValue<R>(_ body: (CellValue) -> R) -> R {
    switch self {
    case .none, .null: body(.null)
    case .bool(let value): body(.bool(value))
    case .int(let value): body(.int(value))
    case .double(let value): body(.double(value))
    case .number(let bytes):
      bytes.withUnsafeBytes { text in
        body(
          LongInteger.isInteger(text) ? .long(text) : .double(NumberReader.double(text)))
      }
    case .text(let bytes): bytes.withUnsafeBytes { body(.text($0)) }
    case .instant(let value): body(.instant(value))
    case .date(let value): body(.date(value))
    case .interval(let value): body(.interval(value))
    case .nested(let bytes): bytes.withUnsafeBytes { body(.nested($0)) }
    }
  }

  static func column(_ values: [StoredValue]) -> Column {
    var out = ByteBuilder(capacity: values.count * 8)
    let cells = values.map { value -> Cell in
      if case .number(let bytes) = value {
        let start = out.count
        out.append(bytes)
        let kind = bytes.withUnsafeBytes { LongInteger.isInteger($0) ? CellKind.integer : .real }
        return Cell(kind, offset: start, length: bytes.count)
      }
      return value.withValue { CellWriter.append($0, isText: false, &out) }
    }
    return .spans(SpanColumn(buffer: out.finish(), cells: cells))
  }
}
