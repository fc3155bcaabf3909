import AggregateCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// One value seen in place; text points into the column it comes from.
enum CellValue {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  /// An integer that does not fit in 64 bits, as it was written.
  case long(UnsafeRawBufferPointer)
  case text(UnsafeRawBufferPointer)
  case instant(Instant)
  case date(CalendarDate)
  case interval(Interval)
  case nested(UnsafeRawBufferPointer)

  var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// How a report of a loss shows it.
  var shown: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .double(let value): NumberText.shortest(value)
    case .long(let bytes), .text(let bytes), .nested(let bytes):
      String(decoding: bytes, as: UTF8.self)
    case .instant(let value): value.iso8601
    case .date(let value): value.iso8601
    case .interval(let value): value.description
    }
  }

  /// Why two values cannot be compared.
  enum Incomparable: Error {
    case text
    case time
    case kinds

    var kind: String {
      switch self {
      case .text: "not a number"
      case .time: "not a time"
      case .kinds: "not comparable"
      }
    }
  }

  /// The order of two values, neither of which is null.
  static func order(_ a: CellValue, _ b: CellValue) -> Result<Order, Incomparable> {
    switch (a, b) {
    case (.int(let x), .int(let y)): return .success(Order(x, y))
    case (.int(let x), .double(let y)): return .success(Order(Double(x), y))
    case (.double(let x), .int(let y)): return .success(Order(x, Double(y)))
    case (.double(let x), .double(let y)): return .success(Order(x, y))
    case (.long(let x), .long(let y)): return .success(LongInteger.order(x, y))
    case (.long(let x), .int(let y)): return .success(LongInteger.order(x, y))
    case (.int(let x), .long(let y)): return .success(LongInteger.order(y, x).reversed)
    case (.long(let x), .text(let y)) where NumberText.kind(y) == .integer:
      return .success(LongInteger.order(x, y))
    case (.text(let x), .long(let y)) where NumberText.kind(x) == .integer:
      return .success(LongInteger.order(x, y))
    case (.long(let x), _): return order(.double(NumberReader.double(x)), b)
    case (_, .long(let y)): return order(a, .double(NumberReader.double(y)))
    case (.text(let x), .text(let y)), (.nested(let x), .nested(let y)):
      return .success(Order(bytes: x, y))
    case (.bool(let x), .bool(let y)): return .success(Order(x ? 1 : 0, y ? 1 : 0))
    case (.bool(let x), .int), (.bool(let x), .double): return order(.int(x ? 1 : 0), b)
    case (.int, .bool(let y)), (.double, .bool(let y)): return order(a, .int(y ? 1 : 0))
    case (.text(let x), .int(let y)) where LongInteger.isLong(x):
      return .success(LongInteger.order(x, y))
    case (.int(let x), .text(let y)) where LongInteger.isLong(y):
      return .success(LongInteger.order(y, x).reversed)
    case (.text(let x), .int), (.text(let x), .double):
      guard let value = NumberReader.loose(x) else { return .failure(.text) }
      return order(CellValue(value), b)
    case (.int, .text(let y)), (.double, .text(let y)):
      guard let value = NumberReader.loose(y) else { return .failure(.text) }
      return order(a, CellValue(value))
    case (.text(let x), .bool):
      guard let value = Booleans.read(x) else { return .failure(.kinds) }
      return order(.bool(value), b)
    case (.bool, .text(let y)):
      guard let value = Booleans.read(y) else { return .failure(.kinds) }
      return order(a, .bool(value))
    case (.interval(let x), .interval(let y)):
      return .success(Order(x.approximateMicros, y.approximateMicros))
    default:
      guard let x = time(a), let y = time(b) else {
        return .failure(isTime(a) || isTime(b) ? .time : .kinds)
      }
      return .success(Order(x.microseconds, y.microseconds))
    }
  }

  private init(_ number: NumberReader.Number) {
    switch number {
    case .int(let value): self = .int(value)
    case .double(let value): self = .double(value)
    }
  }

  private static func isTime(_ value: CellValue) -> Bool {
    switch value {
    case .instant, .date: true
    default: false
    }
  }

  private static func time(_ value: CellValue) -> Instant? {
    switch value {
    case .instant(let value): value
    case .date(let value): Instant(value)
    case .text(let bytes): InstantParser.any(bytes)?.instant(zone: .utc)
    default: nil
    }
  }
}

/// The outcome of comparing: less, equal or greater, as 0, 1 or 2.
struct Order {
  let rawValue: UInt8

  /// The order of the same two the other way round.
  var reversed: Order { Order(1, Int(rawValue)) }

  @inline(__always)
  init<T: Comparable>(_ a: T, _ b: T) { rawValue = a < b ? 0 : a == b ? 1 : 2 }

  @inline(__always)
  init(bytes a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) {
    var result = 0
    let length = min(a.count, b.count)
    if length > 0, let x = a.baseAddress, let y = b.baseAddress {
      result = Int(memcmp(x, y, length))
    }
    if result == 0 { result = a.count - b.count }
    rawValue = result < 0 ? 0 : result == 0 ? 1 : 2
  }
}

/// A comparison operator, as the set of orders for which it holds.
struct Comparison: Sendable, Equatable {
  let mask: UInt8

  static let equal = Comparison(mask: 0b010)
  static let notEqual = Comparison(mask: 0b101)
  static let less = Comparison(mask: 0b001)
  static let lessOrEqual = Comparison(mask: 0b011)
  static let greater = Comparison(mask: 0b100)
  static let greaterOrEqual = Comparison(mask: 0b110)

  static func named(_ symbol: String) -> Comparison? {
    switch symbol {
    case "=", "==": .equal
    case "<>", "!=": .notEqual
    case "<": .less
    case "<=": .lessOrEqual
    case ">": .greater
    case ">=": .greaterOrEqual
    default: nil
    }
  }

  /// The operator with its sides exchanged.
  var mirrored: Comparison {
    Comparison(mask: (mask & 0b010) | (mask & 0b001) << 2 | (mask & 0b100) >> 2)
  }

  @inline(__always)
  func holds(_ order: Order) -> Bool { (mask >> order.rawValue) & 1 == 1 }
}

/// Booleans as text.
enum Booleans {
  /// `true`, `t`, `1`, `yes`, `y` and their opposites, in any case; nil for anything else.
  static func read(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    func matches(_ word: StaticString) -> Bool {
      guard bytes.count == word.utf8CodeUnitCount else { return false }
      for i in 0..<bytes.count where bytes[i] | 0x20 != word.utf8Start[i] | 0x20 { return false }
      return true
    }
    if matches("true") || matches("t") || matches("1") || matches("yes") || matches("y") {
      return true
    }
    if matches("false") || matches("f") || matches("0") || matches("no") || matches("n") {
      return false
    }
    return nil
  }
}
