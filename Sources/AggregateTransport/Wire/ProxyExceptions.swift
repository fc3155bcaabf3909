internal import AggregateCore

/// The entries of `no_proxy` that name a port, such as `api.example.com:8080`.
///
/// libcurl knows hosts, domains and networks, and takes no notice of these; many other programs do.
struct ProxyExceptions: Sendable {
  private let entries: [(host: String, port: String)]

  /// Reads the value of the variable.
  init(_ text: String?) {
    entries = (text ?? "").lowercased().split { $0 == "," || $0.isWhitespace }.compactMap { entry in
      guard let colon = entry.lastIndex(of: ":") else { return nil }
      let host = entry[..<colon]
      let port = String(entry[entry.index(after: colon)...])
      // An IPv6 address without brackets has colons, too.
      guard Int(port) != nil, !host.contains(":") || host.hasSuffix("]") else { return nil }
      let name = host.drop { $0 == "*" }.drop { $0 == "." }
      return name.isEmpty ? nil : (String(name), port)
    }
  }

  /// Whether the address is asked without a proxy.
  func contains(_ url: WebURL) -> Bool {
    guard !entries.isEmpty else { return false }
    let host = url.host.lowercased()
    return entries.contains { entry in
      url.origin.hasSuffix(":\(entry.port)")
        && (host == entry.host || host.hasSuffix(".\(entry.host)"))
    }
  }
}
