internal import AggregateCore

/// Tells the format of an input by its first bytes.
enum FormatDetection {
  /// The name of the format: `json` or `ndjson`, `feed` or `xml`, `tsv`, else `csv`.
  static func format(of bytes: UnsafeRawBufferPointer) -> String {
    let start = contentStart(bytes)
    guard start < bytes.count else { return "csv" }
    switch bytes[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return jsonFormat(of: bytes)
    case UInt8(ascii: "<"): return isFeed(bytes) ? "feed" : "xml"
    default: return isTabbed(bytes, from: start) ? "tsv" : "csv"
    }
  }

  /// Whether bytes that are still to come could tell another format than `bytes` do.
  static func isOpen(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let start = contentStart(bytes)
    guard start < bytes.count else { return true }
    switch bytes[start] {
    case UInt8(ascii: "{"): return false
    case UInt8(ascii: "["):
      guard let end = documentEnd(bytes, from: start) else { return true }
      return bytes[end...].allSatisfy(isSpace)
    case UInt8(ascii: "<"): return bytes.count < 4096 && !isFeed(bytes)
    default: return !bytes[start...].contains { $0 == 10 || $0 == 13 }
    }
  }

  /// `ndjson` when the first document is an object, or when another one follows the first array, else
  /// `json`.
  ///
  /// One object is the same rows either way, and what follows it may not have arrived yet: the answer
  /// must not depend on how much of a slow pipe was seen.
  static func jsonFormat(of bytes: UnsafeRawBufferPointer) -> String {
    let start = contentStart(bytes)
    guard start < bytes.count else { return "json" }
    if bytes[start] == UInt8(ascii: "{") { return "ndjson" }
    guard let end = documentEnd(bytes, from: start) else { return "json" }
    return bytes[end...].contains { !isSpace($0) } ? "ndjson" : "json"
  }

  /// The index behind the object or array at `start`; nil when it does not end in `bytes`.
  private static func documentEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var depth = 0
    var i = start
    while i < bytes.count {
      switch bytes[i] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth <= 0 { return i + 1 }
      case UInt8(ascii: "\""):
        guard let end = JSONBytes.endOfString(bytes, from: i) else { return nil }
        i = end - 1
      default: break
      }
      i += 1
    }
    return nil
  }

  private static func contentStart(_ bytes: UnsafeRawBufferPointer) -> Int {
    var i = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while i < bytes.count, isSpace(bytes[i]) { i += 1 }
    return i
  }

  private static func isFeed(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let head = String(decoding: bytes.prefix(4096), as: UTF8.self).lowercased()
    return ["<rss", "<feed", "<rdf:rdf"].contains { head.contains($0) }
  }

  private static func isTabbed(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    var hasTab = false
    // A tab before the first character counts: it is an empty first name.
    for byte in bytes[(bytes[..<start].contains(9) ? 0 : start)...] {
      if byte == UInt8(ascii: ",") { return false }
      if byte == 9 { hasTab = true }
      if byte == 10 || byte == 13 { break }
    }
    return hasTab
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 32 || byte == 9 || byte == 10 || byte == 13
  }
}
