/// Labels of international hosts as RFC 3492 writes them.
public enum Punycode {
  /// The text of a label, given without `xn--`; nil when it is none.
  public static func decoded(_ label: Substring) -> String? {
    guard label.utf8.count <= 63, label.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var output: [Unicode.Scalar] = []
    var rest = label.unicodeScalars[...]
    if let hyphen = rest.lastIndex(of: "-") {
      output = Array(rest[..<hyphen])
      rest = rest[rest.index(after: hyphen)...]
    }
    var code = 128
    var position = 0
    var bias = 72
    while !rest.isEmpty {
      let before = position
      var weight = 1
      var k = 36
      while true {
        guard let scalar = rest.popFirst(), let digit = digit(scalar) else { return nil }
        // A label is short: nothing here comes near to what an integer holds.
        position += digit * weight
        guard position <= 0x7FFF_FFFF else { return nil }
        let threshold = min(max(k - bias, 1), 26)
        if digit < threshold { break }
        weight *= 36 - threshold
        guard weight <= 0x7FFF_FFFF else { return nil }
        k += 36
      }
      let count = output.count + 1
      bias = adapted(position - before, count: count, isFirst: before == 0)
      code += position / count
      position %= count
      guard let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: code)) else { return nil }
      output.insert(scalar, at: position)
      position += 1
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: output)
    return String(text)
  }

  private static func digit(_ scalar: Unicode.Scalar) -> Int? {
    switch scalar {
    case "a"..."z": Int(scalar.value) - 97
    case "A"..."Z": Int(scalar.value) - 65
    case "0"..."9": Int(scalar.value) - 48 + 26
    default: nil
    }
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var k = 0
    while delta > 455 {
      delta /= 35
      k += 36
    }
    return k + 36 * delta / (delta + 38)
  }
}
