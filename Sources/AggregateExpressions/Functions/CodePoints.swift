/// Positions in UTF-8 by code point.
enum CodePoints {
  static func count(_ bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    for byte in bytes where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// The first `count` code points.
  static func prefix(_ bytes: UnsafeRawBufferPointer, _ count: Int) -> UnsafeRawBufferPointer {
    slice(bytes, 0, count)
  }

  /// `count` code points from the one with index `start` on.
  static func slice(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int
  ) -> UnsafeRawBufferPointer {
    let begin = offset(bytes, from: 0, skipping: start)
    let end = offset(bytes, from: begin, skipping: count)
    return UnsafeRawBufferPointer(rebasing: bytes[begin..<end])
  }

  private static func offset(
    _ bytes: UnsafeRawBufferPointer, from start: Int, skipping count: Int
  ) -> Int {
    var i = start
    var left = count
    while left > 0, i < bytes.count {
      i += 1
      while i < bytes.count, bytes[i] & 0xC0 == 0x80 { i += 1 }
      left -= 1
    }
    return i
  }

  /// The offset in bytes of the first `needle` at or behind `start`.
  static func find(
    _ needle: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    guard let first = needle.first else { return start <= bytes.count ? start : nil }
    var i = start
    let last = bytes.count - needle.count
    while i <= last {
      if bytes[i] == first,
        Order(bytes: UnsafeRawBufferPointer(rebasing: bytes[i..<i + needle.count]), needle)
          .rawValue == 1
      {
        return i
      }
      i += 1
    }
    return nil
  }

  /// The ranges between separators; an empty separator parts every code point.
  static func split(
    _ bytes: UnsafeRawBufferPointer, _ separator: UnsafeRawBufferPointer
  ) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = 0
    if separator.isEmpty {
      while start < bytes.count {
        let end = offset(bytes, from: start, skipping: 1)
        parts.append(start..<end)
        start = end
      }
      return parts
    }
    while let at = find(separator, in: bytes, from: start) {
      parts.append(start..<at)
      start = at + separator.count
    }
    parts.append(start..<bytes.count)
    return parts
  }
}
