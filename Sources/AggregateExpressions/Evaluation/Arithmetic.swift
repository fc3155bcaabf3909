import AggregateCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Arithmetic kernels. Integers are exact; a result that does not fit becomes null and is counted.
enum Arithmetic {
  enum Operator: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case quotient = "//"
    case remainder = "%"
  }

  /// The type of the result for numbers.
  static func type(
    _ op: Operator, _ a: ExpressionType, _ b: ExpressionType
  ) -> ExpressionType {
    if op == .divide { return .double }
    if a == .int && b == .int { return .int }
    let isReal = { (type: ExpressionType) in type == .double || type == .decimal }
    return isReal(a) || isReal(b) ? .double : .number
  }

  static func kernel(_ op: Operator, _ a: ExpressionType, _ b: ExpressionType) -> Kernel {
    switch type(op, a, b) {
    case .int: return { ints(op, $1.ints($0[0]), $1.ints($0[1]), $1) }
    case .double: return { doubles(op, $1.doubles($0[0]), $1.doubles($0[1]), $1) }
    default: return { mixed(op, $0[0], $0[1], $1) }
    }
  }

  private static func ints(
    _ op: Operator, _ a: Vector<Int64>, _ b: Vector<Int64>, _ frame: Frame
  ) -> Operand {
    @inline(__always)
    func loop(_ body: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)) -> Operand {
      Rows.ints(frame.count) { row in
        guard let x = a[row], let y = b[row] else { return nil }
        let (value, overflow) = body(x, y)
        if !overflow { return value }
        lost(op, .int(x), .int(y), frame)
        return nil
      }
    }
    switch op {
    case .add: return loop { $0.addingReportingOverflow($1) }
    case .subtract: return loop { $0.subtractingReportingOverflow($1) }
    case .multiply: return loop { $0.multipliedReportingOverflow(by: $1) }
    case .divide: return doubles(op, frame.doubles(.ints(a)), frame.doubles(.ints(b)), frame)
    case .quotient: return loop { $0.dividedReportingOverflow(by: $1) }
    case .remainder:
      return loop { x, y in y == -1 ? (0, false) : x.remainderReportingOverflow(dividingBy: y) }
    }
  }

  private static func lost(_ op: Operator, _ x: CellValue, _ y: CellValue, _ frame: Frame) {
    var kind = "integer overflow"
    if op == .quotient || op == .remainder {
      if case .int(0) = y { kind = "division by zero" }
      if case .double(0) = y { kind = "division by zero" }
    }
    frame.lost(kind) { "\(x.shown) \(op.rawValue) \(y.shown)" }
  }

  private static func real(_ op: Operator, _ x: Double, _ y: Double) -> Double {
    switch op {
    case .add: x + y
    case .subtract: x - y
    case .multiply: x * y
    case .divide: x / y
    case .quotient: (x / y).rounded(.towardZero)
    case .remainder: fmod(x, y)
    }
  }

  private static func doubles(
    _ op: Operator, _ a: Vector<Double>, _ b: Vector<Double>, _ frame: Frame
  ) -> Operand {
    Rows.doubles(frame.count) { row in
      guard let x = a[row], let y = b[row] else { return nil }
      let value = real(op, x, y)
      if value.isFinite { return value }
      if y == 0, op == .divide || op == .quotient || op == .remainder {
        frame.lost("division by zero") {
          "\(NumberText.shortest(x)) \(op.rawValue) \(NumberText.shortest(y))"
        }
      } else {
        frame.lost("number out of range") {
          "\(NumberText.shortest(x)) \(op.rawValue) \(NumberText.shortest(y))"
        }
      }
      return nil
    }
  }

  /// Cells of both kinds: integers stay exact where both are integers.
  private static func mixed(
    _ op: Operator, _ a: Operand, _ b: Operand, _ frame: Frame
  ) -> Operand {
    let left = Numbers(a, frame)
    let right = Numbers(b, frame)
    if let x = left.ints, let y = right.ints { return ints(op, x, y, frame) }
    if let x = left.doubles, let y = right.doubles { return doubles(op, x, y, frame) }
    return Rows.cells(frame.count) { row, out in
      guard let x = left[row], let y = right[row] else { return .null }
      if left.isWide(row) || right.isWide(row), let i = left.whole(row), let j = right.whole(row) {
        guard let value = wide(op, i, j) else {
          frame.lost(j == 0 ? "division by zero" : "integer overflow") {
            "\(i) \(op.rawValue) \(j)"
          }
          return .null
        }
        out.append(String(value))
        return .integer
      }
      if case .int(let i) = x, case .int(let j) = y {
        let result = ints(op, Vector([i]), Vector([j]), frame.subset([Int32(row)]))
        guard case .column(.ints(let vector)) = result, let value = vector[0] else { return .null }
        out.append(String(value))
        return .integer
      }
      let value = real(op, x.double, y.double)
      guard value.isFinite else {
        frame.lost("division by zero") {
          "\(NumberText.shortest(x.double)) \(op.rawValue) \(NumberText.shortest(y.double))"
        }
        return .null
      }
      out.append(NumberText.shortest(value))
      return .real
    }
  }

  /// Integers of which one does not fit in 64 bits; nil when the result does not fit in 128.
  private static func wide(_ op: Operator, _ x: Int128, _ y: Int128) -> Int128? {
    let (value, overflow) =
      switch op {
      case .add: x.addingReportingOverflow(y)
      case .subtract: x.subtractingReportingOverflow(y)
      case .multiply: x.multipliedReportingOverflow(by: y)
      case .divide, .quotient: x.dividedReportingOverflow(by: y)
      case .remainder: x.remainderReportingOverflow(dividingBy: y)
      }
    return overflow ? nil : value
  }

  static func negated(_ type: ExpressionType) -> Kernel {
    switch type {
    case .interval:
      return { arguments, frame in
        let vector = frame.intervals(arguments[0])
        return .intervals(Vector(vector.values.map(\.negated), nulls: vector.nulls))
      }
    case .double, .decimal:
      return { arguments, frame in
        let vector = frame.doubles(arguments[0])
        return .doubles(Vector(vector.values.map { -$0 }, nulls: vector.nulls))
      }
    default:
      let subtract = kernel(.subtract, .int, type)
      let multiply = kernel(.multiply, type, .int)
      return { arguments, frame in
        type == .int
          ? subtract([.constant(.int(0)), arguments[0]], frame)
          : multiply([arguments[0], .constant(.int(-1))], frame)
      }
    }
  }

  /// Adds (or subtracts) an interval to times.
  static func moved(negated: Bool) -> Kernel {
    { arguments, frame in
      let times = frame.instants(arguments[0])
      let intervals = frame.intervals(arguments[1])
      return Rows.instants(frame.count) { row in
        guard let time = times[row], let interval = intervals[row] else { return nil }
        if let value = (negated ? interval.negated : interval).added(to: time) { return value }
        frame.lost("time out of range") { "\(time.iso8601) and \(interval.description)" }
        return nil
      }
    }
  }

  static func dayMoved(negated: Bool) -> Kernel {
    { arguments, frame in
      let dates = frame.dates(arguments[0])
      let days = frame.ints(arguments[1])
      return Rows.dates(frame.count) { row in
        guard let date = dates[row], let count = days[row] else { return nil }
        let (sum, overflow) =
          negated
          ? Int64(date.days).subtractingReportingOverflow(count)
          : Int64(date.days).addingReportingOverflow(count)
        if !overflow, sum.magnitude < 100_000_000 { return CalendarDate(days: Int32(sum)) }
        frame.lost("date out of range") { "\(date.iso8601) and \(count) days" }
        return nil
      }
    }
  }
}

/// Numbers of cells, integers and real numbers apart.
struct Numbers {
  /// All rows, when all that are not null are integers.
  private(set) var ints: Vector<Int64>?
  /// All rows, when all that are not null are real.
  private(set) var doubles: Vector<Double>?
  private var mixed: [NumberReader.Number?] = []
  /// The exact integers that do not fit in 64 bits, by row.
  private var wide: [Int: Int128] = [:]

  init(_ operand: Operand, _ frame: Frame) {
    switch operand {
    case .column(.ints(let vector)): ints = vector
    case .column(.doubles(let vector)): doubles = vector
    case .column(.spans(let spans)) where spans.cells.allSatisfy(\.kind.isNumberOrNull):
      if let vector = NumberReader.integers(spans) {
        ints = vector
      } else if !spans.cells.contains(where: { $0.kind == .integer }) {
        doubles = frame.doubles(operand)
      } else {
        var wide: [Int: Int128] = [:]
        mixed = spans.withCells { bytes, cells in
          cells.indices.map { row -> NumberReader.Number? in
            let cell = cells[row]
            if cell.kind.isNull { return nil }
            let text = UnsafeRawBufferPointer(rebasing: bytes[cell.range])
            let number = NumberReader.number(text, isInteger: cell.kind == .integer)
            if cell.kind == .integer, case .double = number {
              guard let value = LongInteger.value(text) else {
                frame.lost("integer beyond 128 bits") { String(decoding: text, as: UTF8.self) }
                return nil
              }
              wide[row] = value
            }
            return number
          }
        }
        self.wide = wide
      }
    default:
      let reader = CellReader(operand)
      var integers = 0
      var reals = 0
      mixed.reserveCapacity(frame.count)
      for row in 0..<frame.count {
        let value = reader[row]
        var number: NumberReader.Number?
        switch value {
        case .null: break
        case .int(let value): number = .int(value)
        case .double(let value): number = .double(value)
        case .bool(let value): number = .int(value ? 1 : 0)
        case .text(let bytes):
          number = NumberReader.loose(bytes)
          if number == nil { frame.lost("not a number") { value.shown } }
          if LongInteger.isLong(bytes) { wide[row] = LongInteger.value(bytes) }
        default: frame.lost("not a number") { value.shown }
        }
        switch number {
        case .int: integers += 1
        case .double: reals += 1
        case nil: break
        }
        mixed.append(number)
      }
      let all = mixed
      if !wide.isEmpty { return }
      if reals == 0 {
        ints = Rows.vector(frame.count, 0) { row in
          if case .int(let value) = all[row] { value } else { nil }
        }
      } else if integers == 0 {
        doubles = Rows.vector(frame.count, 0) { row in all[row]?.double }
      }
    }
  }

  /// Whether the number at `row` is an integer that does not fit in 64 bits.
  func isWide(_ row: Int) -> Bool { !wide.isEmpty && wide[row] != nil }

  /// The integer at `row`; nil for null and real numbers.
  func whole(_ row: Int) -> Int128? {
    if isWide(row) { return wide[row] }
    if case .int(let value)? = self[row] { return Int128(value) }
    return nil
  }

  subscript(row: Int) -> NumberReader.Number? {
    if let ints { return ints[row].map { .int($0) } }
    if let doubles { return doubles[row].map { .double($0) } }
    return mixed[row]
  }
}
