/// What was received, in a few words, for error messages.
enum Received {
  /// The first characters on one line; control characters are left out.
  static func beginning(of bytes: [UInt8], _ count: Int = 40) -> String {
    let text = String(decoding: bytes.prefix(count * 4), as: UTF8.self)
    let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    let visible = String(String.UnicodeScalarView(words.unicodeScalars.filter { $0.value >= 32 }))
    return visible.count > count ? String(visible.prefix(count)) + "…" : visible
  }
}
