internal import AggregateCore

/// The address that relative addresses at some place of a feed are resolved against.
struct FeedBase {
  /// The base; nil when none is known.
  var url: WebURL?
  /// Whether the document itself declares it.
  var isDeclared = false

  /// Whether anything can be resolved.
  var canResolve: Bool { url != nil }

  /// The base inside an element with the attribute `xml:base`.
  func entering(_ written: String?) -> FeedBase {
    guard let written = written.map(HTMLMarkup.collapsed), !written.isEmpty else { return self }
    return FeedBase(
      url: url?.resolving(written) ?? WebURL(written) ?? url, isDeclared: true)
  }

  /// An address as it stands, or resolved when it is relative. Never loses one.
  func resolve(_ written: String) -> String {
    let address = HTMLMarkup.collapsed(written)
    if address.isEmpty || Self.isAbsolute(address) || address.hasPrefix("#") { return address }
    return url?.resolving(address)?.description ?? address
  }

  /// Whether the address begins with a scheme, as `http:`, `urn:` and `mailto:` do.
  static func isAbsolute(_ address: String) -> Bool {
    guard let colon = address.firstIndex(of: ":"), let first = address.utf8.first,
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
    else { return false }
    return address[..<colon].utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.".utf8.contains($0)
    }
  }
}
