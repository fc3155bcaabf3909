internal import CRE2

/// A pattern, or a template for replacing, that cannot be used.
public struct RegularExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  public let message: String
  /// The pattern.
  public let pattern: String
  /// The part of the pattern that is wrong, when it is known.
  public let part: String?
  /// Where the part begins, in characters, when it stands in the pattern once.
  public let offset: Int?
  /// What would be valid.
  public let hint: String?

  /// Creates an error.
  public init(_ message: String, pattern: String, part: String? = nil, hint: String? = nil) {
    self.message = message
    self.pattern = pattern
    self.part = part
    self.hint = hint
    offset = part.flatMap { Self.onlyPlace(of: $0, in: pattern) }
  }

  /// The message.
  public var description: String { message + (hint.map { " (\($0))" } ?? "") }

  init(describing compiled: OpaquePointer, pattern: String) {
    var length = 0
    let start = cre2_error_part(compiled, &length)
    let part = String(
      decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    let (message, hint) = Self.words(
      code: cre2_error(compiled), part: part, otherwise: String(cString: cre2_error_text(compiled)))
    self.init(message, pattern: pattern, part: part.isEmpty ? nil : part, hint: hint)
  }

  /// The codes are those of `RE2::ErrorCode`.
  private static func words(
    code: Int32, part: String, otherwise: String
  ) -> (message: String, hint: String?) {
    switch code {
    case 2:
      (
        "“\(part)” is not an escape sequence",
        "references back to a group (\\1) are not supported; a literal backslash is \\\\"
      )
    case 3, 4: ("“\(part)” is not a class of characters", nil)
    case 5: ("the bracket of “\(part)” is not closed", "a literal bracket is \\[")
    case 6: ("a parenthesis is not closed: “\(part)”", "a literal parenthesis is \\(")
    case 7: ("there is a “)” without its “(”", "a literal parenthesis is \\)")
    case 8: ("the pattern ends with a single backslash", "a literal backslash is \\\\")
    case 9: ("there is nothing before “\(part)” to repeat", "a literal \(part) is \\\(part)")
    case 10: ("the repetition “\(part)” is not valid", "at most 1000 times, such as {2,5}")
    case 11: ("“\(part)” repeats a repetition", "use a group: (?:…)")
    case 12:
      ("“\(part)” is not supported", "looking ahead and behind are not; groups are (…), (?:…)")
    case 13: ("the pattern is not valid UTF-8", nil)
    case 14: ("“\(part)” is not a group with a name", "write (?P<name>…)")
    case 15: ("the pattern is too large: compiled, it needs more than 32 MB", nil)
    default: (otherwise, nil)
    }
  }

  private static func onlyPlace(of part: String, in pattern: String) -> Int? {
    let text = Array(pattern.unicodeScalars)
    let wanted = Array(part.unicodeScalars)
    guard !wanted.isEmpty, wanted.count <= text.count else { return nil }
    let places = (0...text.count - wanted.count).filter {
      text[$0..<$0 + wanted.count].elementsEqual(wanted)
    }
    return places.count == 1 ? places.first : nil
  }
}
