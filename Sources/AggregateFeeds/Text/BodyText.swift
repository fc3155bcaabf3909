public import AggregateCore

/// The text of an answer whose format does not say its encoding.
public enum BodyText {
  /// The body in UTF-8, by its byte order mark, then by the `charset` of its content type; nil when it
  /// is UTF-8 as it is.
  ///
  /// `isGuess` tells that nothing says what the bytes mean that are not UTF-8: they are read as
  /// windows-1252. A body that is all ASCII costs one look at each byte.
  public static func utf8(
    _ body: ByteBuffer, contentType: String?
  ) -> (text: ByteBuffer, isGuess: Bool)? {
    let name = contentType.flatMap(EncodingDetection.charset)?.lowercased()
    let isWide = name?.hasPrefix("utf-16") == true || name?.hasPrefix("utf-32") == true
    let isASCII = body.withUnsafeBytes { bytes in
      bytes.reduce(0, |) < 0x80 && !bytes.prefix(4).contains(0)
    }
    if isASCII, !isWide { return nil }
    let bytes = body.copy(0..<body.count)
    let isUTF8 = EncodingDetection.isValidUTF8(bytes)
    let isDeclared = name.map { !["utf-8", "utf8", "us-ascii", "ascii"].contains($0) } ?? false
    let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    if isUTF8, !isDeclared, !bytes.prefix(4).contains(0) { return nil }
    let text = EncodingDetection.utf8(bytes: bytes, contentType: contentType)
    return (ByteBuffer(text), isGuess: !isUTF8 && !isDeclared && !isMarked)
  }
}
