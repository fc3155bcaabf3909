import AggregateCore

/// Operands as vectors of one type. What does not convert becomes null and is counted.
extension Frame {
  /// Text of each row; everything has a text.
  func texts(_ operand: Operand) -> TextReader { TextReader(textSpans(operand)) }

  func textSpans(_ operand: Operand) -> SpanColumn {
    switch operand {
    case .column(.spans(let spans)): return Texts.cells(spans)
    case .constant(let scalar):
      guard let text = scalar.text else {
        return SpanColumn(buffer: .empty, cells: Array(repeating: .null, count: count))
      }
      let buffer = ByteBuffer(text)
      let cell = Cell(.text, offset: 0, length: buffer.count)
      return SpanColumn(buffer: buffer, cells: Array(repeating: cell, count: count))
    default:
      let reader = CellReader(operand)
      let made = Rows.texts(count) { row, out in
        let value = reader[row]
        if value.isNull { return false }
        out.append(value.shown)
        return true
      }
      guard case .column(.spans(let spans)) = made else {
        return SpanColumn(buffer: .empty, cells: Array(repeating: .null, count: count))
      }
      return spans
    }
  }

  func doubles(_ operand: Operand) -> Vector<Double> {
    switch operand {
    case .column(.doubles(let vector)): return vector
    case .column(.ints(let vector)):
      return Vector(vector.values.map(Double.init), nulls: vector.nulls)
    case .column(.spans(let spans)) where spans.cells.allSatisfy(\.kind.isNumberOrNull):
      return spans.withCells { bytes, cells in
        Rows.vector(cells.count, 0) { row in
          let cell = cells[row]
          if cell.kind.isNull { return nil }
          return NumberReader.double(UnsafeRawBufferPointer(rebasing: bytes[cell.range]))
        }
      }
    default:
      let reader = CellReader(operand)
      return Rows.vector(count, 0) { row in
        switch reader[row] {
        case .null: return nil
        case .int(let value): return Double(value)
        case .double(let value): return value
        case .bool(let value): return value ? 1 : 0
        case .text(let bytes):
          if let value = NumberReader.loose(bytes) { return value.double }
          lost("not a number") { String(decoding: bytes, as: UTF8.self) }
          return nil
        case let other:
          lost("not a number") { other.shown }
          return nil
        }
      }
    }
  }

  /// - Parameter isCast: Whether fractions are rounded as a cast does.
  func ints(_ operand: Operand) -> Vector<Int64> {
    if case .column(.ints(let vector)) = operand { return vector }
    if case .column(.spans(let spans)) = operand, let vector = NumberReader.integers(spans) {
      return vector
    }
    let reader = CellReader(operand)
    return Rows.vector(count, 0) { row in
      let value = reader[row]
      switch value {
      case .null: return nil
      case .int(let value): return value
      case .bool(let value): return value ? 1 : 0
      case .double(let real): if let value = NumberReader.rounded(real) { return value }
      case .text(let bytes): if let value = NumberReader.castInt(bytes) { return value }
      default: break
      }
      lost("not an integer") { value.shown }
      return nil
    }
  }

  func bools(_ operand: Operand) -> Vector<Bool> {
    if case .column(.bools(let vector)) = operand { return vector }
    let reader = CellReader(operand)
    return Rows.vector(count, false) { row in
      let value = reader[row]
      switch value {
      case .null: return nil
      case .bool(let value): return value
      case .int(let value): return value != 0
      case .double(let value): return value != 0
      case .text(let bytes): if let value = Booleans.read(bytes) { return value }
      default: break
      }
      lost("not a boolean") { value.shown }
      return nil
    }
  }

  func instants(_ operand: Operand) -> Vector<Instant> {
    if case .column(.instants(let vector)) = operand { return vector }
    let reader = CellReader(operand)
    return Rows.vector(count, Instant(microseconds: 0)) { row in
      let value = reader[row]
      switch value {
      case .null: return nil
      case .instant(let value): return value
      case .date(let value): return Instant(value)
      case .text(let bytes):
        if let value = InstantParser.any(bytes)?.instant(zone: .utc) { return value }
      default: break
      }
      lost("not a time") { value.shown }
      return nil
    }
  }

  func dates(_ operand: Operand) -> Vector<CalendarDate> {
    if case .column(.dates(let vector)) = operand { return vector }
    let reader = CellReader(operand)
    return Rows.vector(count, CalendarDate(days: 0)) { row in
      let value = reader[row]
      switch value {
      case .null: return nil
      case .date(let value): return value
      case .instant(let value): return value.date
      case .text(let bytes): if let value = InstantParser.any(bytes)?.date { return value }
      default: break
      }
      lost("not a date") { value.shown }
      return nil
    }
  }

  func intervals(_ operand: Operand) -> Vector<Interval> {
    switch operand {
    case .intervals(let vector): return vector
    default:
      let reader = CellReader(operand)
      return Rows.vector(count, Interval()) { row in
        let value = reader[row]
        switch value {
        case .null: return nil
        case .interval(let value): return value
        case .text(let bytes):
          if let value = Interval(String(decoding: bytes, as: UTF8.self)) { return value }
        default: break
        }
        lost("not an interval") { value.shown }
        return nil
      }
    }
  }

  /// `operand` as values of `type`, without change for the open types.
  func converted(_ operand: Operand, to type: ExpressionType) -> Operand {
    switch type {
    case .int: .ints(ints(operand))
    case .double, .decimal: .doubles(doubles(operand))
    case .bool: .bools(bools(operand))
    case .instant: .instants(instants(operand))
    case .date: .dates(dates(operand))
    case .interval: .intervals(intervals(operand))
    case .text: .spans(textSpans(operand))
    case .null, .number, .json, .any: operand
    }
  }
}
