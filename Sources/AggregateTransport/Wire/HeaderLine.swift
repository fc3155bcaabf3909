internal import AggregateCore

/// A line of a header, as libcurl hands it over.
enum HeaderLine: Equatable {
  /// The first line; with `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`.
  case status(String)
  case field(HTTPField)
  /// More of the field before it, in the form that is obsolete since 2014.
  case continuation(String)
  /// The empty line.
  case end
  /// A line that says nothing.
  case nothing

  /// Reads a line. Bytes that are no UTF-8 are Latin-1, as they were before there was UTF-8.
  init(_ bytes: UnsafeRawBufferPointer) {
    let text = String(validating: bytes, as: UTF8.self) ?? Self.latin(bytes)
    if text.hasPrefix("HTTP/") {
      let version = text.prefix { !$0.isWhitespace }
      self = .status(version.hasPrefix("HTTP/2") ? "HTTP/2" : String(version))
    } else if text.allSatisfy(\.isNewline) {
      self = .end
    } else if text.hasPrefix(" ") || text.hasPrefix("\t") {
      self = .continuation(text.trimmed)
    } else if let colon = text.firstIndex(of: ":") {
      let name = String(text[..<colon]).trimmed
      self = .field(HTTPField(name, text[text.index(after: colon)...].trimmed))
    } else {
      self = .nothing
    }
  }

  /// What makes the length of a body uncertain; nil when it is certain.
  ///
  /// libcurl takes one of two lengths and so perhaps a part of the body for all of it.
  static func problem(ofLengthIn headers: [HTTPField]) -> String? {
    let lengths = headers.filter { $0.name.lowercased() == "content-length" }
      .flatMap { $0.value.split(separator: ",").map(\.trimmed) }
    guard let first = lengths.first, lengths.contains(where: { $0 != first }) else { return nil }
    return "the answer has two lengths, \(lengths.joined(separator: " and "))"
  }

  private static func latin(_ bytes: UnsafeRawBufferPointer) -> String {
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
  }
}
