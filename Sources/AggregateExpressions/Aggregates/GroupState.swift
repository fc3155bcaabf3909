import AggregateCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The state of one aggregate for all groups, in arrays indexed by group.
protocol GroupState: AnyObject {
  /// Adds each row of `operand` to the group that `groups` names for it.
  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int)
  /// The value of each group.
  func finish(groupCount: Int) -> Column
}

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

extension Array {
  /// Makes room for `count` groups.
  mutating func grow(to count: Int, _ element: Element) {
    if self.count < count {
      append(contentsOf: repeatElement(element, count: count - self.count))
    }
  }

  /// `count` elements, the missing ones being `element`.
  func filled(to count: Int, _ element: Element) -> [Element] {
    var copy = self
    copy.grow(to: count, element)
    return copy
  }
}

final class CountState: GroupState {
  private var counts: [Int64] = []
  private let skipsNulls: Bool

  init(skipsNulls: Bool) { self.skipsNulls = skipsNulls }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    counts.grow(to: groupCount, 0)
    if skipsNulls {
      let nulls = frame.nulls(operand)
      for row in 0..<frame.count where !nulls[row] { counts[Int(groups[row])] += 1 }
    } else {
      for group in groups { counts[Int(group)] += 1 }
    }
  }

  func finish(groupCount: Int) -> Column { .ints(Vector(counts.filled(to: groupCount, 0))) }
}

final class ConditionState: GroupState {
  enum Result {
    case count
    case and
    case or
  }

  private var trues: [Int64] = []
  private var falses: [Int64] = []
  private let result: Result

  init(_ result: Result) { self.result = result }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    trues.grow(to: groupCount, 0)
    falses.grow(to: groupCount, 0)
    let values = frame.bools(operand)
    for row in 0..<frame.count {
      guard let value = values[row] else { continue }
      if value { trues[Int(groups[row])] += 1 } else { falses[Int(groups[row])] += 1 }
    }
  }

  func finish(groupCount: Int) -> Column {
    let trues = trues.filled(to: groupCount, 0)
    let falses = falses.filled(to: groupCount, 0)
    if result == .count { return .ints(Vector(trues)) }
    return .bools(
      Rows.vector(groupCount, false) { group in
        if trues[group] + falses[group] == 0 { return nil }
        return result == .and ? falses[group] == 0 : trues[group] > 0
      })
  }
}

final class SumState: GroupState {
  private var counts: [Int64] = []
  private var reals: [Double] = []
  private var wholes: [Int128] = []
  private var hasReal: [Bool] = []
  private let isMean: Bool

  init(isMean: Bool) { self.isMean = isMean }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    counts.grow(to: groupCount, 0)
    reals.grow(to: groupCount, 0)
    wholes.grow(to: groupCount, 0)
    hasReal.grow(to: groupCount, false)
    let numbers = Numbers(operand, frame)
    if let vector = numbers.doubles {
      for row in 0..<frame.count {
        guard let value = vector[row] else { continue }
        let group = Int(groups[row])
        reals[group] += value
        counts[group] += 1
        hasReal[group] = true
      }
      return
    }
    if let vector = numbers.ints {
      for row in 0..<frame.count {
        guard let value = vector[row] else { continue }
        let group = Int(groups[row])
        wholes[group] += Int128(value)
        counts[group] += 1
      }
      return
    }
    for row in 0..<frame.count {
      let group = Int(groups[row])
      if numbers.isWide(row), let value = numbers.whole(row) {
        let (sum, overflow) = wholes[group].addingReportingOverflow(value)
        if overflow {
          reals[group] += Double(value)
          hasReal[group] = true
        } else {
          wholes[group] = sum
        }
        counts[group] += 1
        continue
      }
      switch numbers[row] {
      case .int(let value)?:
        wholes[group] += Int128(value)
        counts[group] += 1
      case .double(let value)?:
        reals[group] += value
        counts[group] += 1
        hasReal[group] = true
      case nil: break
      }
    }
  }

  func finish(groupCount: Int) -> Column {
    let counts = counts.filled(to: groupCount, 0)
    let reals = reals.filled(to: groupCount, 0)
    let wholes = wholes.filled(to: groupCount, 0)
    let hasReal = hasReal.filled(to: groupCount, false)
    func real(_ group: Int) -> Double { Double(wholes[group]) + reals[group] }
    if isMean {
      return .doubles(
        Rows.vector(groupCount, 0) { group in
          counts[group] == 0 ? nil : real(group) / Double(counts[group])
        })
    }
    if !hasReal.contains(true) {
      let fits = wholes.allSatisfy { Int64(exactly: $0) != nil }
      if fits {
        return .ints(
          Rows.vector(groupCount, 0) { group in
            counts[group] == 0 ? nil : Int64(wholes[group])
          })
      }
    }
    return Rows.cells(groupCount) { group, out in
      if counts[group] == 0 { return .null }
      if hasReal[group] {
        guard real(group).isFinite else { return .null }
        out.append(NumberText.shortest(real(group)))
        return .real
      }
      out.append(String(wholes[group]))
      return .integer
    }.column(count: groupCount)
  }
}

/// Mean and squared deviations by Welford's method, and products.
final class MomentState: GroupState {
  enum Result {
    case deviation
    case deviationOfAll
    case variance
    case varianceOfAll
    case product
  }

  private var counts: [Double] = []
  private var means: [Double] = []
  private var squares: [Double] = []
  private let result: Result

  init(_ result: Result) { self.result = result }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    counts.grow(to: groupCount, 0)
    means.grow(to: groupCount, result == .product ? 1 : 0)
    squares.grow(to: groupCount, 0)
    let values = frame.doubles(operand)
    for row in 0..<frame.count {
      guard let value = values[row] else { continue }
      let group = Int(groups[row])
      counts[group] += 1
      if result == .product {
        means[group] *= value
        continue
      }
      let delta = value - means[group]
      means[group] += delta / counts[group]
      squares[group] += delta * (value - means[group])
    }
  }

  func finish(groupCount: Int) -> Column {
    let counts = counts.filled(to: groupCount, 0)
    let means = means.filled(to: groupCount, 0)
    let squares = squares.filled(to: groupCount, 0)
    return .doubles(
      Rows.vector(groupCount, 0) { group in
        let count = counts[group]
        switch result {
        case .product: return count == 0 ? nil : means[group]
        case .deviation: return count < 2 ? nil : (squares[group] / (count - 1)).squareRoot()
        case .variance: return count < 2 ? nil : squares[group] / (count - 1)
        case .deviationOfAll: return count == 0 ? nil : (squares[group] / count).squareRoot()
        case .varianceOfAll: return count == 0 ? nil : squares[group] / count
        }
      })
  }
}

final class QuantileState: GroupState {
  private var values: [[Double]] = []
  private let fraction: Double
  private let isContinuous: Bool

  init(fraction: Double, isContinuous: Bool) {
    self.fraction = fraction
    self.isContinuous = isContinuous
  }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    values.grow(to: groupCount, [])
    let numbers = frame.doubles(operand)
    for row in 0..<frame.count {
      if let value = numbers[row] { values[Int(groups[row])].append(value) }
    }
  }

  func finish(groupCount: Int) -> Column {
    let values = values.filled(to: groupCount, [])
    return .doubles(
      Rows.vector(groupCount, 0) { group in
        let sorted = values[group].sorted()
        guard let last = sorted.last else { return nil }
        if !isContinuous {
          let rank = Int((fraction * Double(sorted.count)).rounded(.up))
          return sorted[Swift.max(rank, 1) - 1]
        }
        let place = fraction * Double(sorted.count - 1)
        let low = Int(place)
        if low + 1 >= sorted.count { return last }
        return sorted[low] + (sorted[low + 1] - sorted[low]) * (place - Double(low))
      })
  }
}

/// One of the values: the smallest, largest, first, last.
final class PickState: GroupState {
  enum Result {
    case min
    case max
    case first
    case last
    case any
  }

  private var best: [StoredValue] = []
  private let result: Result

  init(_ result: Result) { self.result = result }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    best.grow(to: groupCount, .none)
    let reader = CellReader(operand)
    let wanted: UInt8 = result == .min ? 0 : 2
    for row in 0..<frame.count {
      let group = Int(groups[row])
      let value = reader.exact(row)
      switch result {
      case .last: best[group] = reader.stored(row)
      case .first: if case .none = best[group] { best[group] = reader.stored(row) }
      case .any:
        if case .none = best[group], !value.isNull { best[group] = reader.stored(row) }
      case .min, .max:
        if value.isNull { continue }
        let isBetter =
          switch (value, best[group]) {
          case (_, .none): true
          case (.int(let x), .int(let y)): result == .min ? x < y : x > y
          case (.double(let x), .double(let y)): result == .min ? x < y : x > y
          default:
            best[group].withValue { current in
              switch CellValue.order(value, current) {
              case .success(let order): return order.rawValue == wanted
              case .failure(let mistake):
                frame.lost(mistake.kind) { value.shown }
                return false
              }
            }
          }
        if isBetter { best[group] = reader.stored(row) }
      }
    }
  }

  func finish(groupCount: Int) -> Column {
    StoredValue.column(best.filled(to: groupCount, .none))
  }
}

/// Values as bytes that are equal when the values are.
enum DistinctKey {
  static func append(_ value: CellValue, _ key: inout [UInt8]) {
    func number(_ tag: UInt8, _ bits: UInt64) {
      key.append(tag)
      withUnsafeBytes(of: bits) { key.append(contentsOf: $0) }
    }
    switch value {
    case .null: key.append(0)
    case .bool(let value): key.append(value ? 1 : 2)
    case .int(let value): number(3, UInt64(bitPattern: value))
    case .double(let value):
      if let whole = Int64(exactly: value) {
        number(3, UInt64(bitPattern: whole))
      } else {
        number(4, value.bitPattern)
      }
    case .long(let bytes):
      key.append(9)
      key.append(contentsOf: bytes)
    case .text(let bytes):
      key.append(5)
      key.append(contentsOf: bytes)
    case .nested(let bytes):
      key.append(6)
      key.append(contentsOf: bytes)
    case .instant(let value): number(7, UInt64(bitPattern: value.microseconds))
    case .date(let value):
      number(7, UInt64(bitPattern: Int64(value.days) &* 86_400_000_000))
    case .interval(let value): number(8, value.approximateMicros.bitPattern)
    }
  }
}

/// Passes each value of a group on once.
final class DistinctState: GroupState {
  private let inner: any GroupState
  private var seen: Set<[UInt8]> = []

  init(_ inner: any GroupState) { self.inner = inner }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    let reader = CellReader(operand)
    var rows: [Int32] = []
    var key: [UInt8] = []
    for row in 0..<frame.count {
      key.removeAll(keepingCapacity: true)
      withUnsafeBytes(of: groups[row]) { key.append(contentsOf: $0) }
      DistinctKey.append(reader.exact(row), &key)
      if seen.insert(key).inserted { rows.append(Int32(row)) }
    }
    inner.update(
      operand.gathered(rows), frame.subset(rows), groups: rows.map { groups[Int($0)] },
      groupCount: groupCount)
  }

  func finish(groupCount: Int) -> Column { inner.finish(groupCount: groupCount) }
}

final class ModeState: GroupState {
  private var counts: [[[UInt8]: (count: Int, order: Int)]] = []
  private var values: [[StoredValue]] = []

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    counts.grow(to: groupCount, [:])
    values.grow(to: groupCount, [])
    let reader = CellReader(operand)
    var key: [UInt8] = []
    for row in 0..<frame.count {
      let value = reader.exact(row)
      if value.isNull { continue }
      let group = Int(groups[row])
      key.removeAll(keepingCapacity: true)
      DistinctKey.append(value, &key)
      if counts[group][key] == nil {
        counts[group][key] = (0, values[group].count)
        values[group].append(reader.stored(row))
      }
      counts[group][key]?.count += 1
    }
  }

  func finish(groupCount: Int) -> Column {
    let counts = counts.filled(to: groupCount, [:])
    let values = values.filled(to: groupCount, [])
    return StoredValue.column(
      (0..<groupCount).map { group in
        let best = counts[group].values.max { ($0.count, -$0.order) < ($1.count, -$1.order) }
        return best.map { values[group][$0.order] } ?? .none
      })
  }
}

/// All values as a JSON list, or joined as text.
final class JoinState: GroupState {
  private var parts: [[UInt8]?] = []
  private let separator: [UInt8]?

  init(separator: [UInt8]?) { self.separator = separator }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    parts.grow(to: groupCount, nil)
    if let separator {
      let text = frame.texts(operand)
      for row in 0..<frame.count {
        guard let value = text[row] else { continue }
        let group = Int(groups[row])
        if parts[group] == nil {
          parts[group] = []
        } else {
          parts[group]?.append(contentsOf: separator)
        }
        parts[group]?.append(contentsOf: value)
      }
      return
    }
    let reader = CellReader(operand)
    var item = ByteBuilder(capacity: 256)
    for row in 0..<frame.count {
      let group = Int(groups[row])
      item.removeAll()
      item.append(UInt8(ascii: parts[group] == nil ? "[" : ","))
      if let number = reader.number(row) {
        item.append(number)
      } else {
        Self.append(reader[row], &item)
      }
      if parts[group] == nil { parts[group] = [] }
      item.withUnsafeBytes { parts[group]?.append(contentsOf: $0) }
    }
  }

  private static func append(_ value: CellValue, _ out: inout ByteBuilder) {
    switch value {
    case .text(let bytes):
      out.append(UInt8(ascii: "\""))
      EscapedText.encode(bytes, into: &out)
      out.append(UInt8(ascii: "\""))
    case .instant, .date, .interval: out.append(EscapedText.quoted(value.shown))
    case .double(let number) where !number.isFinite: out.append(literal: "null")
    case .nested(let bytes): out.append(bytes)
    default: out.append(value.shown)
    }
  }

  func finish(groupCount: Int) -> Column {
    let parts = parts.filled(to: groupCount, nil)
    return Rows.cells(groupCount) { group, out in
      guard let part = parts[group] else { return .null }
      out.append(part)
      if separator != nil { return .text }
      out.append(UInt8(ascii: "]"))
      return .array
    }.column(count: groupCount)
  }
}
