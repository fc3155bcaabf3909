public import AggregateCore

/// Writes a YAML list with a mapping per row; nested values stand in flow style.
///
/// Text that YAML 1.1 or 1.2 could take for something else (`no`, `007`, `2024-01-01`) is quoted.
public final class YAMLWriter: Writer {
  static let spec = FormatSpec(
    "yaml", "A YAML list of mappings.", extensions: ["yaml", "yml"], isFlat: false,
    writing: .writer { _ in YAMLWriter() })

  private var keys: [String] = []
  private var overflow = -1
  private var isEmpty = true

  /// Creates a writer.
  public init() {}

  /// Remembers the names.
  public func begin(_ schema: Schema, into out: inout ByteBuilder) throws {
    keys = schema.names.map { Self.scalar($0) + ":" }
    overflow = schema.isOpen ? schema.columns.count - 1 : -1
  }

  /// Appends the rows of `batch`; absent members are left out.
  public func write(_ batch: Batch, into out: inout ByteBuilder) throws {
    for row in 0..<batch.rowCount {
      isEmpty = false
      var indent = "- "
      for (index, column) in batch.columns.enumerated() {
        let value = column.value(at: row)
        if value == .absent { continue }
        if index == overflow, case .json(let text) = value, text.utf8.first == UInt8(ascii: "{") {
          for (key, item) in Self.members(text) {
            out.append("\(indent)\(Self.scalar(key)): \(item)\n")
            indent = "  "
          }
          continue
        }
        out.append("\(indent)\(keys[index]) \(Self.text(value))\n")
        indent = "  "
      }
      if indent == "- " { out.append("- {}\n") }
    }
  }

  /// An empty list when there were no rows.
  public func finish(into out: inout ByteBuilder) throws {
    if isEmpty { out.append("[]\n") }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .absent, .null: return "null"
    case .text(let text): return scalar(text)
    case .double(let number):
      if number.isNaN { return ".nan" }
      return number.isInfinite ? (number < 0 ? "-.inf" : ".inf") : value.displayText
    case .instant, .date: return EscapedText.quoted(value.displayText)
    case .json(let text): return flow(text)
    default: return value.displayText
    }
  }

  /// JSON text on one line, which is a value of YAML as well.
  private static func flow(_ json: String) -> String {
    var out = ByteBuilder(capacity: json.utf8.count)
    var json = json
    json.withUTF8 { JSONBytes.minify(UnsafeRawBufferPointer($0), into: &out) }
    return out.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  private static func members(_ object: String) -> [(key: String, value: String)] {
    let buffer = ByteBuffer(object)
    return buffer.withUnsafeBytes { bytes in
      JSONBytes.items(bytes).compactMap { item in
        guard let colon = JSONBytes.endOfString(bytes, from: item.lowerBound) else { return nil }
        let key = EscapedText.decoded(buffer, item.lowerBound + 1..<colon - 1)
        guard let separator = bytes.firstIndex(of: UInt8(ascii: ":"), from: colon) else {
          return nil
        }
        return (key, scalarOrFlow(buffer.text(separator + 1..<item.upperBound)))
      }
    }
  }

  private static func scalarOrFlow(_ json: String) -> String {
    let text = flow(json)
    guard text.utf8.first == UInt8(ascii: "\"") else { return text }
    let buffer = ByteBuffer(text)
    return scalar(EscapedText.decoded(buffer, 1..<max(1, buffer.count - 1)))
  }

  /// Text as a YAML scalar: plain where that cannot be misread, else in double quotes.
  static func scalar(_ text: String) -> String {
    isPlain(text) ? text : quoted(text)
  }

  private static let words: Set<String> = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity",
  ]

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
      first.properties.isAlphabetic || first == "_", last != ":", last != " "
    else { return false }
    if text.utf8.count <= 8 && words.contains(text.lowercased()) { return false }
    var previous: Unicode.Scalar = "a"
    for scalar in text.unicodeScalars {
      switch scalar {
      case " " where previous == ":": return false
      case "#" where previous == " ": return false
      case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}",
        "\u{FFFE}"..."\u{FFFF}":
        return false
      default: break
      }
      previous = scalar
    }
    return true
  }

  private static func quoted(_ text: String) -> String {
    // A JSON string is a YAML string, but for characters that YAML wants escaped.
    var out = ""
    for scalar in EscapedText.quoted(text).unicodeScalars {
      switch scalar.value {
      case 0x7F..<0xA0: out += "\\x" + String(scalar.value, radix: 16)
      case 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
        out += "\\u" + String(scalar.value, radix: 16)
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
