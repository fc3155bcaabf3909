import AggregateCore

/// Integers of any length as the text they are written as: `-` and digits without leading zeros.
enum LongInteger {
  /// Whether a number in JSON's form is an integer: only digits.
  @inline(__always)
  static func isInteger(_ number: UnsafeRawBufferPointer) -> Bool {
    number.count > 0
      && number.dropFirst(isNegative(number) ? 1 : 0).allSatisfy(NumberText.isDecimalDigit)
  }

  /// Whether text is an integer that does not fit in 64 bits.
  static func isLong(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count > 18 && NumberText.kind(text) == .integer && NumberText.int64(text) == nil
  }

  @inline(__always)
  static func isNegative(_ number: UnsafeRawBufferPointer) -> Bool {
    number.first == UInt8(ascii: "-")
  }

  /// The exact order of two integers.
  static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Order {
    switch (isNegative(a), isNegative(b)) {
    case (false, false):
      a.count == b.count ? Order(bytes: a, b) : Order(a.count, b.count)
    case (true, true):
      a.count == b.count ? Order(bytes: b, a) : Order(b.count, a.count)
    case (let x, let y): Order(x ? 0 : 1, y ? 0 : 1)
    }
  }

  /// The order of an integer that does not fit in 64 bits and any that does.
  static func order(_ a: UnsafeRawBufferPointer, _ b: Int64) -> Order {
    isNegative(a) ? Order(0, 1) : Order(1, 0)
  }

  /// The exact value of an integer; nil when it does not fit in 128 bits.
  static func value(_ text: UnsafeRawBufferPointer) -> Int128? {
    text.count > 40 ? nil : Int128(String(decoding: text, as: UTF8.self))
  }
}
