internal import AggregateCore

/// Values as JSON text.
enum JSONText {
  /// Appends the value of `column` at `row`; gives back whether there is one, null being one.
  static func append(_ row: Int, of column: Column, into out: inout ByteBuilder) -> Bool {
    if case .spans(let spans) = column {
      let cell = spans.cells[row]
      switch cell.kind {
      case .absent: return false
      case .null: out.append(literal: "null")
      case .true: out.append(literal: "true")
      case .false: out.append(literal: "false")
      case .integer, .real, .object, .array: out.append(spans.buffer, cell.range)
      case .escapedText:
        out.append(UInt8(ascii: "\""))
        out.append(spans.buffer, cell.range)
        out.append(UInt8(ascii: "\""))
      case .text:
        out.append(UInt8(ascii: "\""))
        spans.buffer.withUnsafeBytes {
          EscapedText.encode(UnsafeRawBufferPointer(rebasing: $0[cell.range]), into: &out)
        }
        out.append(UInt8(ascii: "\""))
      }
      return true
    }
    switch column.value(at: row) {
    case .absent: return false
    case .null: out.append(literal: "null")
    case .double(let value) where !value.isFinite: out.append(literal: "null")
    case .text(let text): out.append(EscapedText.quoted(text))
    case .instant(let value): out.append(EscapedText.quoted(value.iso8601))
    case .date(let value): out.append(EscapedText.quoted(value.iso8601))
    case let value: out.append(value.displayText)
    }
    return true
  }
}
