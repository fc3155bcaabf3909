internal import CSimdjson

/// Where reading may go on behind a malformed record.
enum JSONResume {
  /// The offset of the next record, or nil when none can be found.
  ///
  /// - Parameters:
  ///   - position: Where the fault is.
  ///   - recordsEnd: Where the last whole record ends.
  static func offset(
    behind position: Int, recordsEnd: Int, in bytes: UnsafeRawBufferPointer,
    separator: RecordSeparator
  ) -> Int? {
    switch separator {
    case .single: return nil
    case .comma:
      guard let base = bytes.baseAddress else { return nil }
      var scan = CSimdjsonScan()
      var found = false
      let end = csimdjson_scan(
        &scan, base.assumingMemoryBound(to: UInt8.self), recordsEnd, bytes.count, true,
        position + 1, &found)
      return found && bytes[end - 1] == UInt8(ascii: ",") ? end : nil
    case .whitespace:
      if beginsLine(position, recordsEnd, bytes) { return position }
      return bytes[position...].firstIndex(of: 10).map { $0 + 1 }
    }
  }

  /// Whether a record begins the line at `position`: then the one before it was cut off, and this
  /// one must not be lost with it.
  private static func beginsLine(
    _ position: Int, _ recordsEnd: Int, _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "{") else { return false }
    let before = bytes[recordsEnd..<position]
    guard let last = before.lastIndex(where: { $0 != 32 && $0 != 9 }), bytes[last] == 10 else {
      return false
    }
    return before.contains { $0 != 32 && $0 != 9 && $0 != 10 && $0 != 13 }
  }
}
