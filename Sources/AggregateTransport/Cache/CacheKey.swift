internal import AggregateCore

/// What an answer is kept under: hashes of the address and of whoever asks.
///
/// Neither can be read from it, and all answers of one address are found by its ``target``.
struct CacheKey: Sendable, Hashable {
  /// The hash of the address.
  let target: String
  /// The hash of the credentials and whatever else tells one user from another.
  private let user: String

  /// What tells users apart beside the credentials of a request, hashed once.
  struct Identity: Sendable {
    fileprivate let text: String
    fileprivate let hash: String

    init(_ text: String) {
      self.text = text
      hash = CacheKey.hash([text])
    }
  }

  init(_ request: HTTPRequest, identity: Identity) {
    target = Self.target(of: request.url)
    let headers = request.headers.filter { $0.isNamed("authorization") || $0.isNamed("cookie") }
      .map { "\($0.name.lowercased()):\($0.value)" }
    let credentials = request.credentials.map { "\($0)" } + headers
    user = credentials.isEmpty ? identity.hash : Self.hash([identity.text] + credentials)
  }

  /// Both hashes, as the store keeps them.
  var text: String { target + user }

  /// The hash of an address.
  static func target(of url: WebURL) -> String { hash([url.description]) }

  private static func hash(_ parts: [String]) -> String {
    // Lengths before the parts, so that no two lists give the same text.
    SHA256.hexadecimal(parts.map { "\($0.utf8.count):\($0)" }.joined())
  }

  // MARK: - Vary

  /// The names of the fields that an answer varies with, and a hash of their values in the request;
  /// nil when it varies with everything (section 4.1).
  static func variant(_ headers: [HTTPField], of request: HTTPRequest) -> String? {
    let names = headers.filter { $0.isNamed("vary") }
      .flatMap { $0.value.split(separator: ",") }.map { $0.trimmed.lowercased() }
      .filter { !$0.isEmpty }
    if names.contains("*") { return nil }
    return variant(Set(names).sorted(), request)
  }

  /// Whether a request selects the variant.
  static func matches(_ variant: String, _ request: HTTPRequest) -> Bool {
    let names = variant.split(separator: "=").first?.split(separator: ",").map(String.init)
    return self.variant(names ?? [], request) == variant
  }

  private static func variant(_ names: [String], _ request: HTTPRequest) -> String {
    if names.isEmpty { return "" }
    let values = names.map { name in
      let lines = request.headers.filter { $0.isNamed(name) }
      // A field that is not there is another thing than an empty one.
      return lines.isEmpty ? "-" : "+" + normalized(lines.map(\.value).joined(separator: ","))
    }
    return names.joined(separator: ",") + "=" + hash(values)
  }

  /// The value without white space around its commas, those in quotes left alone.
  private static func normalized(_ value: String) -> String {
    var parts = [""]
    var isQuoted = false
    for character in value.unicodeScalars {
      if character == "\"" { isQuoted.toggle() }
      if character == "," && !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].unicodeScalars.append(character)
      }
    }
    return parts.map(\.trimmed).joined(separator: ",")
  }
}
