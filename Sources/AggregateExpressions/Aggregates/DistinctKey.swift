import AggregateCore

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
