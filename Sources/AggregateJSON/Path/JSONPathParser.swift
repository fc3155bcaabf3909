internal import AggregateRegex
internal import AggregateCore

/// Reads the grammar of RFC 9535.
struct JSONPathParser {
  /// How deep filters and parentheses may nest.
  static let deepest = 64
  /// The largest whole number, by RFC 7493.
  static let largest = (1 << 53) - 1

  let text: [Unicode.Scalar]
  var position = 0
  var depth = 0

  init(_ text: String) { self.text = Array(text.unicodeScalars) }

  var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

  func peek(_ distance: Int) -> Unicode.Scalar? {
    position + distance < text.count ? text[position + distance] : nil
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  mutating func take(_ word: String) -> Bool {
    let scalars = Array(word.unicodeScalars)
    guard text[position...].starts(with: scalars) else { return false }
    position += scalars.count
    return true
  }

  mutating func space() {
    while let scalar = next, scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" {
      position += 1
    }
  }

  func error(_ message: String, at offset: Int? = nil, hint: String? = nil) -> JSONPathError {
    JSONPathError(message, offset: offset ?? position, hint: hint)
  }

  /// What stands here, for messages.
  var found: String { next.map { "“\($0)”" } ?? "the end" }

  // MARK: Queries

  mutating func wholeQuery() throws(JSONPathError) -> PathQuery {
    guard !text.isEmpty else {
      throw error("a JSONPath is missing", hint: "$ is the whole document")
    }
    guard take("$") else { throw missingRoot() }
    let query = PathQuery(isAbsolute: true, segments: try segments())
    if position < text.count { throw unexpectedInPath() }
    return query
  }

  private func missingRoot() -> JSONPathError {
    var written = String(String.UnicodeScalarView(text))
    while let first = written.first, first.isWhitespace { written.removeFirst() }
    while let last = written.last, last.isWhitespace { written.removeLast() }
    var hint: String?
    let candidates =
      written.hasPrefix("@")
      ? ["$" + written.dropFirst()]
      : written.hasPrefix("/")
        ? ["$" + written.replacing("/", by: ".")]
        : ["$" + written, "$." + written, "$[\(JSONPath.quoted(written))]"]
    for candidate in candidates where hint == nil {
      var parser = JSONPathParser(candidate)
      if !written.isEmpty, (try? parser.wholeQuery()) != nil { hint = "did you mean \(candidate)?" }
    }
    return JSONPathError(
      "a JSONPath begins with “$”, but found \(found)", offset: 0,
      hint: hint ?? "such as $.items[*]")
  }

  private func unexpectedInPath() -> JSONPathError {
    if text[position...].allSatisfy({ $0.properties.isWhitespace }) {
      return error("there is white space behind the JSONPath")
    }
    var hint = "“.name”, “[…]” or the end"
    if let scalar = next, Self.isNameFirst(scalar) { hint = "a name needs “.” before it" }
    if next == "-" || next == ":" || next == "@" {
      hint = "write names with such characters as ['a-b']"
    }
    return error("unexpected \(found) in the JSONPath", hint: hint)
  }

  private mutating func segments() throws(JSONPathError) -> [PathSegment] {
    var segments: [PathSegment] = []
    while true {
      let before = position
      space()
      switch next {
      case "[":
        segments.append(PathSegment(isDescendant: false, selectors: try bracket()))
      case ".":
        position += 1
        let isDescendant = take(".")
        if isDescendant, next == "[" {
          segments.append(PathSegment(isDescendant: true, selectors: try bracket()))
        } else if take("*") {
          segments.append(PathSegment(isDescendant: isDescendant, selectors: [.wildcard]))
        } else {
          segments.append(
            PathSegment(isDescendant: isDescendant, selectors: [.name(try shorthand())]))
        }
      default:
        position = before
        return segments
      }
    }
  }

  private mutating func shorthand() throws(JSONPathError) -> String {
    let start = position
    guard let first = next, Self.isNameFirst(first) else {
      var hint = "quote other names: ['a name']"
      if let digit = next, Self.isDigit(digit) { hint = "an element is written [0], a key ['0']" }
      throw error("expected a name behind “.”, but found \(found)", hint: hint)
    }
    while let scalar = next, Self.isNameFirst(scalar) || Self.isDigit(scalar) { position += 1 }
    return String(String.UnicodeScalarView(text[start..<position]))
  }

  private mutating func bracket() throws(JSONPathError) -> [PathSelector] {
    let start = position
    position += 1
    var selectors: [PathSelector] = []
    while true {
      space()
      selectors.append(try selector())
      space()
      if take("]") { return selectors }
      guard take(",") else {
        if next == nil { throw error("the “[” is not closed", at: start, hint: "add “]”") }
        throw error("expected “,” or “]”, but found \(found)")
      }
    }
  }

  private mutating func selector() throws(JSONPathError) -> PathSelector {
    switch next {
    case "'", "\"": return .name(try string())
    case "*":
      position += 1
      return .wildcard
    case "?":
      position += 1
      space()
      return .filter(try filter())
    case ":": return try slice(from: nil)
    case let scalar? where Self.isDigit(scalar) || scalar == "-":
      let start = try integer()
      let before = position
      space()
      if next == ":" { return try slice(from: start) }
      position = before
      return .index(start)
    case nil: throw error("the “[” is not closed", hint: "add a selector and “]”")
    default:
      var hint: String? = "valid are 'name', 0, 0:10, * and ?filter"
      if let scalar = next, Self.isNameFirst(scalar) { hint = "quote the name: ['name']" }
      if next == "(" { hint = "a filter is written [?@.price < 10]" }
      throw error("expected a selector in “[…]”, but found \(found)", hint: hint)
    }
  }

  private mutating func slice(from start: Int?) throws(JSONPathError) -> PathSelector {
    position += 1
    space()
    var end: Int?
    var step = 1
    if let scalar = next, Self.isDigit(scalar) || scalar == "-" {
      end = try integer()
      space()
    }
    if take(":") {
      let before = position
      space()
      if let scalar = next, Self.isDigit(scalar) || scalar == "-" {
        step = try integer()
      } else {
        position = before
      }
    }
    return .slice(start: start, end: end, step: step)
  }

  private mutating func integer() throws(JSONPathError) -> Int {
    let start = position
    let negative = take("-")
    let digits = position
    while let scalar = next, Self.isDigit(scalar) { position += 1 }
    let written = String(String.UnicodeScalarView(text[start..<position]))
    guard position > digits else { throw error("expected digits behind “-”, but found \(found)") }
    if text[digits] == "0", position > digits + 1 || negative {
      throw error("“\(written)” is not an index", at: start, hint: "no leading zeros, and no -0")
    }
    guard let value = Int(written), abs(value) <= Self.largest else {
      throw error("the index \(written) is too large", at: start, hint: "at most \(Self.largest)")
    }
    return value
  }

  // MARK: Strings

  mutating func string() throws(JSONPathError) -> String {
    let start = position
    let quote = text[position]
    position += 1
    var result = String.UnicodeScalarView()
    while let scalar = next {
      position += 1
      if scalar == quote { return String(result) }
      if scalar == "\\" {
        result.append(try escape(quote))
      } else if scalar.value < 0x20 {
        throw error(
          "a string has a control character in it", at: position - 1,
          hint: "write it as an escape, such as \\n")
      } else {
        result.append(scalar)
      }
    }
    throw error("the string is not closed", at: start, hint: "add \(quote)")
  }

  private mutating func escape(_ quote: Unicode.Scalar) throws(JSONPathError) -> Unicode.Scalar {
    let start = position - 1
    guard let scalar = next else { throw error("the string is not closed", at: start) }
    position += 1
    switch scalar {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "/", "\\", quote: return scalar
    case "u":
      let unit = try hexUnit(start)
      if (0xD800..<0xDC00).contains(unit) {
        guard take("\\"), take("u") else {
          throw error("half of a surrogate pair in a string", at: start)
        }
        let low = try hexUnit(start)
        guard (0xDC00..<0xE000).contains(low),
          let pair = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw error("half of a surrogate pair in a string", at: start) }
        return pair
      }
      guard let single = Unicode.Scalar(unit) else {
        throw error("half of a surrogate pair in a string", at: start)
      }
      return single
    default:
      throw error(
        "“\\\(scalar)” is not an escape in a string in \(quote)", at: start,
        hint: "a literal backslash is \\\\")
    }
  }

  private mutating func hexUnit(_ start: Int) throws(JSONPathError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let scalar = next, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
        throw error("“\\u” needs four hexadecimal digits", at: start)
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  // MARK: Queries inside filters

  /// A query that begins with `@` or `$`.
  mutating func innerQuery() throws(JSONPathError) -> PathQuery {
    let isAbsolute = next == "$"
    position += 1
    return PathQuery(isAbsolute: isAbsolute, segments: try segments())
  }

  static func isNameFirst(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    return value >= 0x80 || (value | 0x20) &- 97 < 26 || scalar == "_"
  }

  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.value &- 48 < 10 }
}

extension String {
  fileprivate func replacing(_ old: Character, by new: Character) -> String {
    String(map { $0 == old ? new : $0 })
  }
}
