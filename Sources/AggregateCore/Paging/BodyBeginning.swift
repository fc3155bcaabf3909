/// The first bytes of a body, behind a byte order mark and white space.
public struct BodyBeginning {
  private let body: ByteBuffer
  private let start: Int

  /// The first byte; nil when there is nothing but white space.
  public let first: UInt8?

  /// The first kilobyte.
  public var text: String { body.text(start..<min(body.count, start + 1024)) }

  /// Looks at a body.
  public init(_ body: ByteBuffer) {
    self.body = body
    start = body.withUnsafeBytes { bytes -> Int in
      var i = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      while i < bytes.count, bytes[i] == 0x20 || (0x09...0x0D).contains(bytes[i]) { i += 1 }
      return i
    }
    first = start < body.count ? body.copy(start..<start + 1).first : nil
  }

  /// Whether it is a web page.
  public var isHTML: Bool {
    let lowered = text.prefix(200).lowercased()
    return ["<!doctype html", "<html", "<head", "<body"].contains { lowered.hasPrefix($0) }
      || (lowered.hasPrefix("<!--") && lowered.contains("<html"))
  }

  /// Whether it is a feed in XML.
  public var isFeed: Bool {
    let lowered = text.lowercased()
    return ["<rss", "<feed", "<rdf:rdf"].contains { lowered.contains($0) }
  }

  /// Whether its first line is a JSON value that is no list and no object.
  public var isJSONScalar: Bool {
    guard let line = text.split(whereSeparator: \.isNewline).first else { return true }
    let word = line.split(separator: " ").joined(separator: " ")
    return ["null", "true", "false"].contains(word) || NumberText.kind(word) != nil
      || (word.hasPrefix("\"") && word.hasSuffix("\"") && !word.contains(","))
  }

  /// The title of a web page.
  public var title: String? {
    guard let start = text.firstRange(of: "<title>"),
      let end = text[start.upperBound...].firstRange(of: "</title>")
    else { return nil }
    return String(text[start.upperBound..<end.lowerBound].prefix(60))
  }

  /// Some words of it, for messages.
  public var excerpt: String {
    let words = text.prefix(120).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 60 ? "\(words.prefix(60))…" : words
  }

  /// The error of a body that is markup where data is expected.
  public func markup(from url: WebURL) -> AggregateError {
    let what = isHTML ? "a web page (HTML)" : "markup"
    let title = title.map { " with the title “\($0)”" } ?? ""
    return AggregateError(
      .badData, "\(url) answered with \(what)\(title), where data is expected",
      hint: isHTML
        ? "the address may need a login, or not be the one of an API"
        : "format: xml or format: feed reads it")
  }
}
