internal import AggregateCore

/// Addresses of articles in a form in which those of the same article are equal.
enum ArticleAddress {
  /// Without scheme, `www.`, default port, final slash and the parameters that only count visits.
  static func canonical(_ address: String) -> String? {
    guard let url = WebURL(address) else { return nil }
    var host = url.authority.lowercased()
    for port in [":80", ":443"] where host.hasSuffix(port) { host.removeLast(port.count) }
    if host.hasPrefix("www.") { host.removeFirst(4) }
    var path = url.path
    while path.hasSuffix("/") { path.removeLast() }
    let kept = url.queryItems.filter { !isTracking($0.name.lowercased()) }
      .map { "\(WebURL.encoded($0.name))=\(WebURL.encoded($0.value))" }.sorted()
    return host + path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
  }

  private static func isTracking(_ name: String) -> Bool {
    name.hasPrefix("utm_") || name.hasPrefix("ns_") || name.hasPrefix("at_")
      || tracking.contains(name)
  }

  private static let tracking: Set<String> = [
    "fbclid", "gclid", "gclsrc", "dclid", "msclkid", "yclid", "twclid", "igshid", "mc_cid",
    "mc_eid", "_ga", "_gl", "ncid", "cmpid", "ocid", "ito", "ref_src", "wt_mc", "spm", "xtor",
    "ftag", "smid", "rss", "guccounter",
  ]
}
