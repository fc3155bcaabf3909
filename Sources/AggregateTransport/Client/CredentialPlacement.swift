internal import AggregateCore

/// Puts credentials into a request, and keeps them away from other origins.
enum CredentialPlacement {
  /// Names of header fields that never follow to another origin, in lower case.
  private static let bound: Set<String> = ["authorization", "cookie", "proxy-authorization"]

  /// Adds `credentials` to `request`, whose address is of the origin they belong to.
  static func apply(_ credentials: [Credential], to request: inout WireRequest) {
    for credential in credentials {
      switch credential {
      case .header(let name, let value):
        request.headers.removeAll { $0.isNamed(name) }
        request.headers.append(HTTPField(name, value))
        request.secretHeaderNames.insert(name.lowercased())
      case .query(let name, let value):
        request.secretQueryNames.insert(name)
        if !request.url.queryItems.contains(where: { $0.name == name }) {
          request.url.append(query: name, value)
        }
      case .cookie(let name, let value):
        let index = request.headers.firstIndex { $0.isNamed("cookie") }
        if let index {
          request.headers[index].value += "; \(name)=\(value)"
        } else {
          request.headers.append(HTTPField("Cookie", "\(name)=\(value)"))
        }
      case .awsSigV4(let region, let service, let accessKey, let secretKey, let token):
        request.signing = .init(
          region: region, service: service, accessKey: accessKey, secretKey: secretKey)
        if let token { request.headers.append(HTTPField("X-Amz-Security-Token", token)) }
        request.secretHeaderNames.insert("x-amz-security-token")
        request.url = canonical(request.url)
      case .netrc:
        request.usesNetrc = true
      }
    }
  }

  /// `headers` without what identifies the user at the origin they were written for.
  static func strippingBound(_ headers: [HTTPField], redactor: Redactor) -> [HTTPField] {
    headers.filter {
      !bound.contains($0.name.lowercased()) && redactor.redact($0.value) == $0.value
    }
  }

  /// Registers the values of `credentials` as secrets.
  static func register(_ credentials: [Credential], with redactor: Redactor) {
    for credential in credentials {
      switch credential {
      case .header(_, let value):
        redactor.register(value)
        guard let space = value.firstIndex(of: " ") else { continue }
        let token = value[value.index(after: space)...].trimmed
        redactor.register(token)
        if value[..<space].lowercased() == "basic", let pair = Base64.decode(token) {
          let text = String(decoding: pair, as: UTF8.self)
          if let colon = text.firstIndex(of: ":") {
            redactor.register(String(text[text.index(after: colon)...]))
          }
        }
      case .query(_, let value), .cookie(_, let value): redactor.register(value)
      case .awsSigV4(_, _, _, let secretKey, let token):
        redactor.register(secretKey)
        if let token { redactor.register(token) }
      case .netrc: break
      }
    }
  }

  /// The same address with its query as a signature needs it: sorted, and encoded without choice.
  private static func canonical(_ url: WebURL) -> WebURL {
    guard url.query != nil else { return url }
    var result = url
    result.query =
      url.queryItems
      .map { "\(WebURL.encoded($0.name))=\(WebURL.encoded($0.value))" }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .joined(separator: "&")
    return result
  }
}
