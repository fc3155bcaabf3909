/// A `LIKE` pattern: `%` is any text, `_` one code point; everything else is itself.
struct LikePattern: Sendable {
  private enum Item: Equatable {
    case any
    case one
    case byte(UInt8)
  }

  private var items: [Item] = []
  private let ignoresCase: Bool

  /// Compiles a pattern; nil when it ends with the escape character.
  init?(_ pattern: UnsafeRawBufferPointer, escape: UInt8?, ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    let text =
      ignoresCase
      ? Array(String(decoding: pattern, as: UTF8.self).lowercased().utf8) : Array(pattern)
    var i = 0
    while i < text.count {
      let byte = text[i]
      i += 1
      if let escape, byte == escape {
        guard i < text.count else { return nil }
        items.append(.byte(text[i]))
        i += 1
      } else if byte == UInt8(ascii: "%") {
        if items.last != .any { items.append(.any) }
      } else {
        items.append(byte == UInt8(ascii: "_") ? .one : .byte(byte))
      }
    }
  }

  /// Compiles a constant pattern.
  init?(_ pattern: String, escape: UInt8?, ignoresCase: Bool) {
    var pattern = pattern
    let made = pattern.withUTF8 {
      LikePattern(UnsafeRawBufferPointer($0), escape: escape, ignoresCase: ignoresCase)
    }
    guard let made else { return nil }
    self = made
  }

  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    guard ignoresCase else { return matchesBytes(text) }
    let lowered = Array(String(decoding: text, as: UTF8.self).lowercased().utf8)
    return lowered.withUnsafeBytes { matchesBytes($0) }
  }

  private func matchesBytes(_ text: UnsafeRawBufferPointer) -> Bool {
    var i = 0
    var p = 0
    // Where to go on when what follows the last `%` does not match.
    var retry: (text: Int, pattern: Int)?
    return items.withUnsafeBufferPointer { items in
      while true {
        if p < items.count {
          switch items[p] {
          case .any:
            p += 1
            if p == items.count { return true }
            retry = (i, p)
            continue
          case .one where i < text.count:
            i += 1
            while i < text.count, text[i] & 0xC0 == 0x80 { i += 1 }
            p += 1
            continue
          case .byte(let byte) where i < text.count && text[i] == byte:
            i += 1
            p += 1
            continue
          default: break
          }
        } else if i == text.count {
          return true
        }
        guard let last = retry, last.text < text.count else { return false }
        var next = last.text + 1
        while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
        retry = (next, last.pattern)
        i = next
        p = last.pattern
      }
    }
  }
}
