internal import CSimdjson

/// Decimal text to binary floating point.
public enum FastDouble {
  /// The nearest double to the decimal number that fills `bytes`; nil when it is none.
  ///
  /// Too large a number gives an infinity, too small a one zero.
  public static func parse(_ bytes: UnsafeRawBufferPointer) -> Double? {
    guard let base = bytes.baseAddress else { return nil }
    var value = 0.0
    return csimdjson_parse_double(base.assumingMemoryBound(to: UInt8.self), bytes.count, &value)
      ? value : nil
  }
}
