import AggregateCore

/// `IN` over many constants: looked up instead of compared one by one.
struct ConstantSet: Sendable {
  private var numbers: Set<Double> = []
  private var integers: Set<Int64> = []
  /// Integers that do not fit in 64 bits, as they are written.
  private var long: Set<[UInt8]> = []
  private var texts: [[UInt8]] = []
  private let hasNull: Bool
  private let isText: Bool

  /// Creates a set of constants that are all numbers or all text, nulls aside; nil for others.
  init?(_ scalars: [Scalar]) {
    hasNull = scalars.contains(.null)
    let values = scalars.filter { $0 != .null }
    guard !values.isEmpty else { return nil }
    isText = values.allSatisfy { $0.type == .text }
    for value in values {
      switch value {
      case .int(let value):
        integers.insert(value)
        numbers.insert(Double(value))
      case .decimal(let value):
        numbers.insert(value.double)
        if value.isLongInteger { long.insert(Array(value.description.utf8)) }
      case .double(let value): numbers.insert(value)
      case .text(let value):
        texts.append(Array(value.utf8))
        switch ByteBuffer(value).withUnsafeBytes({ NumberReader.loose($0) }) {
        case .int(let value):
          integers.insert(value)
          numbers.insert(Double(value))
        case .double(let value): numbers.insert(value)
        case nil: break
        }
      default: return nil
      }
    }
    if !isText && !texts.isEmpty { return nil }
    texts.sort { $0.lexicographicallyPrecedes($1) }
  }

  private func contains(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var low = 0
    var high = texts.count
    while low < high {
      let middle = (low + high) / 2
      let order = texts[middle].withUnsafeBytes { Order(bytes: $0, bytes) }
      if order.rawValue == 1 { return true }
      if order.rawValue == 0 { low = middle + 1 } else { high = middle }
    }
    return false
  }

  private func contains(_ number: NumberReader.Number) -> Bool {
    switch number {
    case .int(let value):
      // Beyond 2^53 a real number stands for several integers.
      value.magnitude <= 1 << 53 ? numbers.contains(Double(value)) : integers.contains(value)
    case .double(let value): numbers.contains(value)
    }
  }

  /// Whether each row's value is in the set; null where that depends on a null.
  func evaluate(_ operand: Operand, _ frame: Frame) -> Operand {
    let reader = CellReader(operand)
    let mayBeLong = !isText && !long.isEmpty
    return Rows.bools(frame.count) { row in
      let found: Bool
      let value = reader.exact(row)
      switch value {
      case .null: return nil
      case .long(let bytes): found = isText ? contains(bytes) : long.contains(Array(bytes))
      case .int(let value): found = contains(.int(value))
      case .double(let value): found = contains(.double(value))
      case .bool(let value): found = contains(.int(value ? 1 : 0))
      case .text(let bytes):
        if isText {
          found = contains(bytes)
        } else if mayBeLong, bytes.count > 18, NumberText.kind(bytes) == .integer {
          found =
            long.contains(Array(bytes)) || NumberText.int64(bytes).map(integers.contains) == true
        } else if let number = NumberReader.loose(bytes) {
          found = contains(number)
        } else {
          frame.lost("not a number") { value.shown }
          return nil
        }
      default: found = false
      }
      return found ? true : hasNull ? nil : false
    }
  }
}
