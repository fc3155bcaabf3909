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
    let line = Self.trimmed(bytes[...])
    if bytes.starts(with: "HTTP/".utf8) {
      let version = Self.text(line.prefix { !Self.isSpace($0) })
      self = .status(version.hasPrefix("HTTP/2") ? "HTTP/2" : version)
    } else if let first = bytes.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
      self = .continuation(Self.text(line))
    } else if line.isEmpty {
      self = .end
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      let name = Self.text(Self.trimmed(line[..<colon]))
      self = .field(HTTPField(name, Self.text(Self.trimmed(line[line.index(after: colon)...]))))
    } else {
      self = .nothing
    }
  }

  /// What makes the length of a body uncertain; nil when it is certain.
  ///
  /// libcurl takes one of two lengths and so perhaps a part of the body for all of it.
  static func problem(ofLengthIn headers: [HTTPField]) -> String? {
    let fields = headers.filter { $0.isNamed("content-length") }
    if fields.count == 1, fields[0].value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return nil }
    let lengths = fields.flatMap { $0.value.split(separator: ",").map(\.trimmed) }
    guard let first = lengths.first, lengths.contains(where: { $0 != first }) else { return nil }
    return "the answer has two lengths, \(lengths.joined(separator: " and "))"
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

  private static func trimmed(
    _ bytes: Slice<UnsafeRawBufferPointer>
  ) -> Slice<UnsafeRawBufferPointer> {
    var rest = bytes.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return rest
  }

  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
  }
}
