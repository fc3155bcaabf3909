import AggregateCore

/// Comparison kernels, specialised by what is known when the expression is compiled.
enum Comparing {
  static func kernel(_ comparison: Comparison, _ a: ExpressionType, _ b: ExpressionType) -> Kernel {
    if a == .null || b == .null { return { _, _ in .null } }
    if a == .text && b == .text { return { texts(comparison, $0[0], $0[1], $1) } }
    if a == .int && b == .int {
      return { arguments, frame in
        vectors(comparison, frame.ints(arguments[0]), frame.ints(arguments[1]))
      }
    }
    if a.isNumeric && b.isNumeric && a != .number && b != .number {
      return { arguments, frame in
        vectors(comparison, frame.doubles(arguments[0]), frame.doubles(arguments[1]))
      }
    }
    if a == .date && b == .date {
      return { arguments, frame in
        vectors(comparison, frame.dates(arguments[0]), frame.dates(arguments[1]))
      }
    }
    if a.isTime || b.isTime {
      return { arguments, frame in
        vectors(comparison, frame.instants(arguments[0]), frame.instants(arguments[1]))
      }
    }
    return { cells(comparison, $0[0], $0[1], $1) }
  }

  @inline(__always)
  private static func vectors<T: Comparable & BitwiseCopyable & Sendable>(
    _ comparison: Comparison, _ a: Vector<T>, _ b: Vector<T>
  ) -> Operand {
    let count = a.values.count
    let values = [Bool](unsafeUninitializedCapacity: count) { target, initialized in
      for row in 0..<count {
        target.initializeElement(
          at: row, to: comparison.holds(Order(a.values[row], b.values[row])))
      }
      initialized = count
    }
    return .bools(Vector(values, nulls: Nulls.either(a.nulls, b.nulls)))
  }

  private static func texts(
    _ comparison: Comparison, _ a: Operand, _ b: Operand, _ frame: Frame
  ) -> Operand {
    let left = frame.texts(a)
    if case .constant(.text(let text)) = b {
      return ByteBuffer(text).withUnsafeBytes { constant in
        Rows.bools(frame.count) { row in
          guard let x = left[row] else { return nil }
          return comparison.holds(Order(bytes: x, constant))
        }
      }
    }
    let right = frame.texts(b)
    return Rows.bools(frame.count) { row in
      guard let x = left[row], let y = right[row] else { return nil }
      return comparison.holds(Order(bytes: x, y))
    }
  }

  private static func cells(
    _ comparison: Comparison, _ a: Operand, _ b: Operand, _ frame: Frame
  ) -> Operand {
    if case .column(.spans(let spans)) = a, case .constant(let scalar) = b {
      switch scalar {
      case .int(let value): return numbers(comparison, spans, value, Double(value), frame)
      case .decimal(let value) where value.isLongInteger:
        return long(comparison, spans, value, frame)
      case .decimal(let value): return numbers(comparison, spans, nil, value.double, frame)
      case .double(let value): return numbers(comparison, spans, nil, value, frame)
      case .text(let value): return text(comparison, spans, value, frame)
      default: break
      }
    }
    if case .constant = a, case .column = b { return cells(comparison.mirrored, b, a, frame) }
    let left = CellReader(a)
    let right = CellReader(b)
    return Rows.bools(frame.count) { row in
      let x = left.exact(row)
      let y = right.exact(row)
      if x.isNull || y.isNull { return nil }
      switch CellValue.order(x, y) {
      case .success(let order): return comparison.holds(order)
      case .failure(let mistake):
        frame.lost(mistake.kind) { if case .text = x { x.shown } else { y.shown } }
        return nil
      }
    }
  }

  /// Cells against a constant integer that does not fit in 64 bits.
  private static func long(
    _ comparison: Comparison, _ spans: SpanColumn, _ constant: ExactDecimal, _ frame: Frame
  ) -> Operand {
    let reader = CellReader(.spans(spans))
    return ByteBuffer(constant.description).withUnsafeBytes { wanted in
      Rows.bools(frame.count) { row in
        let value = reader.exact(row)
        if value.isNull { return nil }
        switch CellValue.order(value, .long(wanted)) {
        case .success(let order): return comparison.holds(order)
        case .failure(let mistake):
          frame.lost(mistake.kind) { value.shown }
          return nil
        }
      }
    }
  }

  /// Cells against a constant number: the commonest filter, one pass without any copy.
  private static func numbers(
    _ comparison: Comparison, _ spans: SpanColumn, _ exact: Int64?, _ real: Double, _ frame: Frame
  ) -> Operand {
    if spans.cells.allSatisfy(\.kind.isNumber) {
      return spans.withCells { bytes, cells in
        let values = [Bool](unsafeUninitializedCapacity: cells.count) { target, initialized in
          for row in 0..<cells.count {
            let cell = cells[row]
            let text = UnsafeRawBufferPointer(rebasing: bytes[cell.range])
            let order: Order =
              if let exact, cell.kind == .integer {
                NumberReader.integer(text).map { Order($0, exact) }
                  ?? LongInteger.order(text, exact)
              } else {
                Order(NumberReader.double(text), real)
              }
            target.initializeElement(at: row, to: comparison.holds(order))
          }
          initialized = cells.count
        }
        return .bools(Vector(values))
      }
    }
    return mixedNumbers(comparison, spans, exact, real, frame)
  }

  private static func mixedNumbers(
    _ comparison: Comparison, _ spans: SpanColumn, _ exact: Int64?, _ real: Double, _ frame: Frame
  ) -> Operand {
    spans.withCells { bytes, cells in
      Rows.bools(cells.count) { row in
        let cell = cells[row]
        switch cell.kind {
        case .absent, .null: return nil
        case .integer:
          let text = UnsafeRawBufferPointer(rebasing: bytes[cell.range])
          if let exact {
            let order = NumberReader.integer(text).map { Order($0, exact) }
            return comparison.holds(order ?? LongInteger.order(text, exact))
          }
          return comparison.holds(Order(NumberReader.double(text), real))
        case .real:
          let text = UnsafeRawBufferPointer(rebasing: bytes[cell.range])
          return comparison.holds(Order(NumberReader.double(text), real))
        case .true: return comparison.holds(Order(1, real))
        case .false: return comparison.holds(Order(0, real))
        case .text, .escapedText:
          let text = UnsafeRawBufferPointer(rebasing: bytes[cell.range])
          switch NumberReader.loose(text) {
          case .int(let value):
            if let exact { return comparison.holds(Order(value, exact)) }
            return comparison.holds(Order(Double(value), real))
          case .double(let value):
            if let exact, LongInteger.isLong(text) {
              return comparison.holds(LongInteger.order(text, exact))
            }
            return comparison.holds(Order(value, real))
          case nil: break
          }
          frame.lost("not a number") { String(decoding: text, as: UTF8.self) }
          return nil
        case .object, .array:
          frame.lost("not a number") { String(decoding: bytes[cell.range], as: UTF8.self) }
          return nil
        }
      }
    }
  }

  /// Cells against a constant text: text by bytes, numbers as numbers when the text reads as one.
  private static func text(
    _ comparison: Comparison, _ spans: SpanColumn, _ constant: String, _ frame: Frame
  ) -> Operand {
    let plain = Texts.unescaped(spans)
    let buffer = ByteBuffer(constant)
    return buffer.withUnsafeBytes { wanted in
      let number = NumberReader.loose(wanted)
      let isInteger = NumberText.kind(wanted) == .integer
      let bool = Booleans.read(wanted)
      return plain.withCells { bytes, cells in
        Rows.bools(cells.count) { row in
          let cell = cells[row]
          switch cell.kind {
          case .absent, .null: return nil
          case .true, .false:
            guard let bool else { return comparison == .notEqual }
            return comparison.holds(Order(cell.kind == .true ? 1 : 0, bool ? 1 : 0))
          case .integer, .real:
            let text = UnsafeRawBufferPointer(rebasing: bytes[cell.range])
            guard let number else { return comparison.holds(Order(bytes: text, wanted)) }
            if cell.kind == .integer, isInteger {
              return comparison.holds(LongInteger.order(text, wanted))
            }
            switch (NumberReader.number(text, isInteger: cell.kind == .integer), number) {
            case (.int(let x), .int(let y)): return comparison.holds(Order(x, y))
            case (let x, let y): return comparison.holds(Order(x.double, y.double))
            }
          default:
            return comparison.holds(
              Order(bytes: UnsafeRawBufferPointer(rebasing: bytes[cell.range]), wanted))
          }
        }
      }
    }
  }

  /// `IS [NOT] DISTINCT FROM`: null is a value like others.
  static func distinct(
    _ a: ExpressionType, _ b: ExpressionType, negated: Bool
  ) -> Kernel {
    let comparison: Comparison = negated ? .equal : .notEqual
    let inner = kernel(comparison, a, b)
    return { arguments, frame in
      let left = frame.nulls(arguments[0])
      let right = frame.nulls(arguments[1])
      let compared = frame.bools(inner(arguments, frame))
      return Rows.bools(frame.count) { row in
        if left[row] || right[row] { return (left[row] && right[row]) == negated }
        return compared[row]
      }
    }
  }

  /// `greatest` (wanted 2) and `least` (wanted 0): nulls are passed over.
  static func extreme(_ wanted: UInt8, _ type: ExpressionType) -> Kernel {
    { arguments, frame in
      let converted = arguments.map { frame.converted($0, to: type) }
      let readers = converted.map(CellReader.init)
      var chosen: [[Int32]] = Array(repeating: [], count: arguments.count)
      for row in 0..<frame.count {
        var best: (value: CellValue, index: Int)?
        for (index, reader) in readers.enumerated() {
          let value = reader.exact(row)
          if value.isNull { continue }
          guard let current = best else {
            best = (value, index)
            continue
          }
          switch CellValue.order(value, current.value) {
          case .success(let order): if order.rawValue == wanted { best = (value, index) }
          case .failure(let mistake): frame.lost(mistake.kind) { value.shown }
          }
        }
        if let best { chosen[best.index].append(Int32(row)) }
      }
      let pieces = chosen.indices.filter { !chosen[$0].isEmpty }.map {
        Merge.Piece(rows: chosen[$0], operand: converted[$0].gathered(chosen[$0]))
      }
      return pieces.isEmpty ? .null : Merge.merged(pieces, type, frame)
    }
  }
}

/// Null masks.
enum Nulls {
  /// True where either is.
  static func either(_ a: [Bool]?, _ b: [Bool]?) -> [Bool]? {
    guard let a else { return b }
    guard let b else { return a }
    return zip(a, b).map { $0 || $1 }
  }
}
