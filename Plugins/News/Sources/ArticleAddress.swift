internal import AggregateCore

/// Addresses of articles in a form in which those of the same article are equal.
enum ArticleAddress {
  /// Without scheme, `www.`, default port, final slash and the parameters that only count visits.
  ///
  /// What RFC 3986 makes equivalent is equal, and so are the two forms of an international host. A
  /// fragment counts when it leads to a page (`#!`, `#/`) or to a comment.
  static func canonical(_ address: String) -> String? {
    guard let url = WebURL(address) else { return nil }
    var path = normalized(url.path)
    while path.hasSuffix("/") { path.removeLast() }
    let kept = url.queryItems.filter { !isTracking($0.name.lowercased(), $0.value.lowercased()) }
      .map { "\(WebURL.encoded($0.name))=\(WebURL.encoded($0.value))" }.sorted()
    return host(of: url) + path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
      + fragment(of: address)
  }

  /// Whether a canonical address is more than that of a site.
  static func isPage(_ canonical: String) -> Bool {
    canonical.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
  }

  private static func host(of url: WebURL) -> String {
    var host = WebURL.decoded(url.host).lowercased()
    if host.hasSuffix(".") { host.removeLast() }
    if host.hasPrefix("www.") { host.removeFirst(4) }
    host = host.split(separator: ".", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("xn--") ? Punycode.decoded($0.dropFirst(4)) ?? String($0) : String($0) }
      .joined(separator: ".")
    let port = url.authority.dropFirst(url.host.count)
    return [":", ":80", ":443"].contains(port) ? host : host + port
  }

  /// Escapes in upper case, and none of characters that need none.
  private static func normalized(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: "%")) else { return path }
    let bytes = Array(path.utf8)
    var out = ""
    var start = 0
    while let percent = bytes[start...].firstIndex(of: UInt8(ascii: "%")) {
      out += String(decoding: bytes[start..<percent], as: UTF8.self)
      start = min(percent + 3, bytes.count)
      let escape = String(decoding: bytes[percent..<start], as: UTF8.self)
      let decoded = WebURL.decoded(escape)
      let isPlain = decoded != escape && WebURL.encoded(decoded) == decoded
      out += isPlain ? decoded : escape.uppercased()
    }
    return out + String(decoding: bytes[start...], as: UTF8.self)
  }

  private static func fragment(of address: String) -> String {
    guard let hash = address.firstIndex(of: "#") else { return "" }
    var fragment = address[address.index(after: hash)...]
    guard fragment.hasPrefix("!") || fragment.hasPrefix("/") || fragment.hasPrefix("comment")
    else { return "" }
    while let last = fragment.last, last == "/" || last == "!" { fragment.removeLast() }
    return fragment.isEmpty ? "" : "#" + WebURL.encoded(WebURL.decoded(String(fragment)))
  }

  private static func isTracking(_ name: String, _ value: String) -> Bool {
    name.hasPrefix("utm_") || name.hasPrefix("ns_") || name.hasPrefix("at_")
      || tracking.contains(name) || (origins.contains(name) && value.hasPrefix("rss"))
  }

  private static let tracking: Set<String> = [
    "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "srsltid", "msclkid", "yclid",
    "twclid", "igshid", "igsh", "mibextid", "mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "_ga",
    "_gl", "cmp", "emc", "taid", "ncid", "cmpid", "ocid", "ito", "ref_src", "wt_mc", "spm", "xtor",
    "ftag", "smid", "rss", "guccounter",
  ]

  /// Parameters that say where a visitor comes from, which counts nothing when that is a feed.
  private static let origins: Set<String> = [
    "partner", "source", "src", "ref", "ref_", "from", "via", "medium", "feature",
  ]
}
