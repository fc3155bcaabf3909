internal import AggregateCore

/// Masks the tokens in the JSON answer of a login, whether or not anyone registered them.
enum TokenMask {
  private static let names = ["access_token", "refresh_token", "id_token"]

  /// `text` with the string values of token members masked.
  static func masking(_ text: String) -> String {
    guard names.contains(where: { text.contains($0) }) else { return text }
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    var i = 0
    while i < bytes.count {
      guard let end = endOfName(bytes, at: i), let value = value(bytes, after: end) else {
        out.append(bytes[i])
        i += 1
        continue
      }
      out.append(contentsOf: bytes[i..<value.lowerBound])
      out.append(contentsOf: Redactor.mask.utf8)
      i = value.upperBound
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Where a quoted token name that begins at `start` ends.
  private static func endOfName(_ bytes: [UInt8], at start: Int) -> Int? {
    guard bytes[start] == UInt8(ascii: "\"") else { return nil }
    for name in names {
      let end = start + name.utf8.count + 2
      if end <= bytes.count, bytes[end - 1] == UInt8(ascii: "\""),
        bytes[start + 1..<end - 1].elementsEqual(name.utf8)
      {
        return end
      }
    }
    return nil
  }

  /// The inside of the string behind the colon behind `start`.
  private static func value(_ bytes: [UInt8], after start: Int) -> Range<Int>? {
    var i = start
    var hasColon = false
    while i < bytes.count, bytes[i] <= 0x20 || bytes[i] == UInt8(ascii: ":") {
      hasColon = hasColon || bytes[i] == UInt8(ascii: ":")
      i += 1
    }
    guard hasColon, i < bytes.count, bytes[i] == UInt8(ascii: "\"") else { return nil }
    let begin = i + 1
    i = begin
    while i < bytes.count, bytes[i] != UInt8(ascii: "\"") {
      i += bytes[i] == UInt8(ascii: "\\") ? 2 : 1
    }
    return i < bytes.count ? begin..<i : nil
  }
}
