internal import AggregateCore
internal import CSimdjson

/// The one place where the reader's error codes become words.
enum JSONFailureText {
  /// What is wrong at `position`, which is an offset into `bytes`.
  static func reason(
    _ code: CSimdjsonError, at position: Int, in bytes: UnsafeRawBufferPointer
  ) -> String {
    switch code {
    case CSIMDJSON_EARLY_END: "the text ends inside the record"
    case CSIMDJSON_EXPECTED_VALUE: "expected a value, \(found(position, bytes))"
    case CSIMDJSON_EXPECTED_KEY: "expected a key in double quotes, \(found(position, bytes))"
    case CSIMDJSON_EXPECTED_COLON: "expected “:” behind a key, \(found(position, bytes))"
    case CSIMDJSON_EXPECTED_COMMA_OR_BRACE: "expected “,” or “}”, \(found(position, bytes))"
    case CSIMDJSON_EXPECTED_COMMA_OR_BRACKET: "expected “,” or “]”, \(found(position, bytes))"
    case CSIMDJSON_EXPECTED_COMMA:
      "expected “,” between elements, \(found(position, bytes))"
    case CSIMDJSON_EXPECTED_END:
      "expected the end behind the document, \(found(position, bytes))"
    case CSIMDJSON_BAD_NUMBER: "a number has the wrong form, \(found(position, bytes))"
    case CSIMDJSON_BAD_LITERAL:
      "expected a value (a string in double quotes, a number, true, false, null, {…} or […]), "
        + found(position, bytes)
    case CSIMDJSON_BAD_ESCAPE:
      "a string has an escape that JSON does not know, \(found(position, bytes))"
    case CSIMDJSON_BAD_UTF8: "a byte that is not UTF-8 (\(hex(position, bytes)))"
    case CSIMDJSON_CONTROL_CHARACTER:
      "a control character (\(hex(position, bytes))) stands unescaped in a string"
    case CSIMDJSON_UNCLOSED_STRING: "a string has no closing quote"
    case CSIMDJSON_TOO_DEEP: "objects and arrays are nested more than 1024 deep"
    case CSIMDJSON_TOO_LONG: "a value or the text is longer than can be held"
    case CSIMDJSON_NO_MEMORY: "there is not enough memory for it"
    default: "it could not be read"
    }
  }

  /// Whether the code says that a limit was passed.
  static func isLimit(_ code: CSimdjsonError) -> Bool {
    code == CSIMDJSON_TOO_DEEP || code == CSIMDJSON_TOO_LONG || code == CSIMDJSON_NO_MEMORY
  }

  private static func found(_ position: Int, _ bytes: UnsafeRawBufferPointer) -> String {
    guard position < bytes.count else { return "found the end of the text" }
    let stop = min(bytes.count, position + 24)
    var end = position
    while end < stop, bytes[end] >= 0x20, !",]}".utf8.contains(bytes[end]) || end == position {
      end += 1
    }
    // A cut must not fall inside a character.
    while end > position + 1, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    guard end > position else { return "found a byte \(hex(position, bytes))" }
    return "found “\(String(decoding: bytes[position..<end], as: UTF8.self))”"
  }

  private static func hex(_ position: Int, _ bytes: UnsafeRawBufferPointer) -> String {
    guard position < bytes.count else { return "the end" }
    let digits = String(bytes[position], radix: 16, uppercase: true)
    return "0x" + (digits.count == 1 ? "0" : "") + digits
  }
}
