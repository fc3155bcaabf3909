/// An HTTP address in its parts, by RFC 3986. Nothing in it is decoded.
public struct WebURL: Sendable, Hashable, CustomStringConvertible {
  /// `http` or `https`, in lower case.
  public var scheme: String
  /// Host and port as written, without user information.
  public var authority: String
  /// The path; empty or beginning with `/`.
  public var path: String
  /// What stands behind `?`, without it.
  public var query: String?

  /// Parses an absolute HTTP address; a fragment is dropped. Nil when it is not one.
  ///
  /// Spaces and characters outside ASCII are percent-encoded, as browsers do.
  public init?(_ text: String) {
    let reference = Reference(Self.encodingIllegal(text))
    guard let scheme = reference.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let authority = reference.authority, !authority.isEmpty
    else { return nil }
    let host =
      authority.lastIndex(of: "@").map { String(authority[authority.index(after: $0)...]) }
      ?? authority
    if host.isEmpty || host.hasPrefix(":") { return nil }
    self.scheme = scheme
    self.authority = host
    path = Self.removingDotSegments(reference.path)
    query = reference.query
  }

  /// What stands before `@` in the authority of an address, such as `user:password`; nil without it.
  public static func userInformation(of text: String) -> String? {
    guard let start = text.firstRange(of: "://")?.upperBound else { return nil }
    let authority = text[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard let at = authority.lastIndex(of: "@") else { return nil }
    return String(authority[..<at])
  }

  /// The text form.
  public var description: String {
    "\(scheme)://\(authority)\(path)" + (query.map { "?\($0)" } ?? "")
  }

  /// Scheme, host and port, the port always written: what credentials are bound to.
  public var origin: String {
    let lowered = authority.lowercased()
    guard let colon = lowered.lastIndex(of: ":"), !lowered[colon...].contains("]") else {
      return "\(scheme)://\(lowered):\(defaultPort)"
    }
    // `host:` has the default port, and `host:080` is `host:80`.
    let port = lowered[lowered.index(after: colon)...]
    let number = port.isEmpty ? defaultPort : Int(port)
    return "\(scheme)://\(lowered[..<colon]):" + (number.map(String.init) ?? String(port))
  }

  /// Whether both have the same ``origin``.
  public func hasOrigin(of other: WebURL) -> Bool {
    scheme == other.scheme && (authority == other.authority || origin == other.origin)
  }

  private var defaultPort: Int { scheme == "https" ? 443 : 80 }

  /// The host without the port.
  public var host: String {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return String(authority[...end])
    }
    return String(authority.prefix { $0 != ":" })
  }

  /// The address that `reference` means when it stands in the document at this address.
  public func resolving(_ text: String) -> WebURL? {
    let reference = Reference(Self.encodingIllegal(text))
    if reference.scheme != nil { return WebURL(text) }
    var result = self
    if let authority = reference.authority {
      return WebURL(
        "\(scheme)://\(authority)\(reference.path)" + (reference.query.map { "?\($0)" } ?? ""))
    } else if reference.path.isEmpty {
      if let query = reference.query { result.query = query }
    } else if reference.path.hasPrefix("/") {
      result.path = Self.removingDotSegments(reference.path)
      result.query = reference.query
    } else {
      let base = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
      result.path = Self.removingDotSegments(base + reference.path)
      result.query = reference.query
    }
    return result
  }

  /// The names and values of the query, decoded, in order.
  public var queryItems: [(name: String, value: String)] {
    (query ?? "").split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (
        Self.decoded(String(parts[0]), plusIsSpace: true),
        parts.count > 1 ? Self.decoded(String(parts[1]), plusIsSpace: true) : ""
      )
    }
  }

  /// Appends a query item, encoding name and value.
  public mutating func append(query name: String, _ value: String) {
    let item = "\(Self.encoded(name))=\(Self.encoded(value))"
    query = query.map { $0.isEmpty ? item : "\($0)&\(item)" } ?? item
  }

  /// Sets a query item: the first of that name is replaced in place, further ones are removed.
  public mutating func set(query name: String, _ value: String) {
    var done = false
    let items: [String] = (query ?? "").split(separator: "&").compactMap { item in
      let found = item.prefix { $0 != "=" }
      guard Self.decoded(String(found), plusIsSpace: true) == name else { return String(item) }
      defer { done = true }
      return done ? nil : "\(found)=\(Self.encoded(value))"
    }
    query = items.isEmpty ? nil : items.joined(separator: "&")
    if !done { append(query: name, value) }
  }

  /// `text` percent-encoded: everything but unreserved characters, and those in `keeping`.
  public static func encoded(_ text: String, keeping: String = "") -> String {
    var out = ""
    let kept = Set(keeping.utf8)
    for byte in text.utf8 {
      if isUnreserved(byte) || kept.contains(byte) {
        out.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        out += percent(byte)
      }
    }
    return out
  }

  /// `text` with its percent escapes decoded; malformed ones stay.
  public static func decoded(_ text: String, plusIsSpace: Bool = false) -> String {
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    var i = 0
    while i < bytes.count {
      if bytes[i] == UInt8(ascii: "%"), i + 2 < bytes.count,
        let high = Character(Unicode.Scalar(bytes[i + 1])).hexDigitValue,
        let low = Character(Unicode.Scalar(bytes[i + 2])).hexDigitValue
      {
        out.append(UInt8(high * 16 + low))
        i += 3
      } else {
        out.append(plusIsSpace && bytes[i] == UInt8(ascii: "+") ? 0x20 : bytes[i])
        i += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func percent(_ byte: UInt8) -> String {
    let digits = Array("0123456789ABCDEF")
    return "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
  }

  private static func encodingIllegal(_ text: String) -> String {
    var out = ""
    for byte in text.utf8 {
      if byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}".utf8.contains(byte) {
        out += percent(byte)
      } else {
        out.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return out
  }

  private static func removingDotSegments(_ path: String) -> String {
    guard path.contains(".") else { return path }
    var out: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { out.append("") }
      case "..":
        if out.count > 1 { out.removeLast() }
        if isLast { out.append("") }
      default: out.append(segment)
      }
    }
    return out.joined(separator: "/")
  }

  /// A URI reference split by the pattern of RFC 3986, appendix B; the fragment is dropped.
  private struct Reference {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?

    init(_ text: String) {
      var rest = text[...]
      if let hash = rest.firstIndex(of: "#") { rest = rest[..<hash] }
      if let colon = rest.firstIndex(where: { ":/?".contains($0) }), rest[colon] == ":",
        let first = rest.first, first.isLetter
      {
        scheme = String(rest[..<colon])
        rest = rest[rest.index(after: colon)...]
      }
      if let mark = rest.firstIndex(of: "?") {
        query = String(rest[rest.index(after: mark)...])
        rest = rest[..<mark]
      }
      if rest.hasPrefix("//") {
        rest = rest.dropFirst(2)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        authority = String(rest[..<end])
        rest = rest[end...]
      }
      path = String(rest)
    }
  }
}
