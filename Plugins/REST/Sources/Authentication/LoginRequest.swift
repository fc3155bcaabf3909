internal import AggregateCore
internal import AggregateJSON

/// A request that gives a token for the others.
struct LoginRequest: Sendable {
  private let request: RequestTemplate
  private let path: JSONPath?
  private let header: String?
  private let place: String
  private let name: String
  private let prefix: String
  private let lifetime: Double?

  init?(_ options: Options, _ diagnostics: inout Diagnostics) {
    guard let address = options.given("url") else { return nil }
    request = RequestTemplate(
      login: address, method: options.text("method") ?? "POST", body: options.given("body"),
      &diagnostics)
    let token = options.text("token") ?? "$.token"
    header = token.hasPrefix("header:") ? String(token.dropFirst(7)) : nil
    path = header == nil ? try? JSONPath(parsing: token) : nil
    place = options.text("in") ?? "header"
    if options.given("name") == nil, place != "header" {
      diagnostics.error(
        "missing-key", "“auth.login” with “in: \(place)” needs “name”", at: options.node.location)
    }
    name = options.text("name") ?? "Authorization"
    prefix = options.text("prefix") ?? (options.given("name") == nil ? "Bearer " : "")
    lifetime = options.duration("ttl").map {
      Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18
    }
  }

  /// What gives requests the token.
  func authorizer(_ context: ProviderContext) -> TokenAuthorizer {
    let keeper = context.services.tokens
    var values = context.parameters
    // Passwords may have braces: what names nothing stays as it stands.
    for name in request.names where values[name] == nil { values[name] = "{\(name)}" }
    return TokenAuthorizer(
      name: try? fingerprint(values), keeper: keeper,
      credential: { [place, name, prefix] in Credential(in: place, name: name, value: prefix + $0)
      },
      obtain: { [values] in try await token(values, $0) })
  }

  /// What the token is kept under: a hash of the request.
  private func fingerprint(_ values: [String: String]) throws -> String {
    let login = try request.request(values)
    let body = String(decoding: login.body ?? [], as: UTF8.self)
    return "login " + SHA256.hexadecimal("\(login.method) \(login.url)\n\(body)")
  }

  private func token(
    _ values: [String: String], _ client: any HTTPClient
  ) async throws -> KeptToken {
    var login = try request.request(values)
    login.staysAtOrigin = true
    let response: HTTPResponse
    do {
      response = try await client.send(login)
    } catch var error as AggregateError {
      error.message = "the login failed: \(error.message)"
      if error.code == .rejected {
        error.hint = "check “auth.login”: the body, the method, the address"
      }
      throw error
    }
    guard let token = found(in: response), !token.isEmpty else {
      throw AggregateError(
        .rejected,
        "the login failed: \(login.method) \(login.url) answered \(response.status) without "
          + (header.map { "the header \($0)" } ?? "a text at \(path.map { "\($0)" } ?? "$.token")"),
        hint: "“auth.login.token” says where the token is", status: response.status)
    }
    return KeptToken(token, lifetime: lifetime)
  }

  private func found(in response: HTTPResponse) -> String? {
    if let header {
      guard let value = response.header(header) else { return nil }
      guard header.lowercased() == "set-cookie" else { return value }
      // Of a cookie only its value is sent back.
      for field in response.headers where field.isNamed("set-cookie") {
        let pair = field.value.prefix { $0 != ";" }.split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if pair.count == 2, pair[0] == name { return String(pair[1]) }
      }
      return nil
    }
    guard let path, let document = try? JSONDocument(parsing: response.body),
      let node = path.firstNode(in: document.root)
    else { return nil }
    return node.string ?? node.numberText
  }
}
