internal import AggregateCore
internal import AggregateJSON

/// OAuth 2 (RFC 6749): how an access token is had and renewed.
struct OAuthGrant: Sendable {
  /// What is given for the token.
  enum Kind: String, Sendable, CaseIterable {
    case clientCredentials = "client_credentials"
    case refreshToken = "refresh_token"
    case password
  }

  let kind: Kind
  let url: WebURL
  let clientID: String?
  let clientSecret: String?
  let refreshToken: String?
  let username: String?
  let password: String?
  let scopes: [String]
  let sendsBody: Bool
  let extra: [(name: String, value: String)]

  init?(_ options: Options, _ diagnostics: inout Diagnostics) {
    guard let url = options.text("token_url").flatMap({ WebURL($0) }) else { return nil }
    self.url = url
    kind = options.text("grant").flatMap(Kind.init) ?? .clientCredentials
    clientID = options.text("client_id")
    clientSecret = options.text("client_secret")
    refreshToken = options.text("refresh_token")
    username = options.text("username")
    password = options.text("password")
    scopes = options.texts("scopes") ?? []
    sendsBody = options.text("send") == "body"
    extra = (options.entries("extra") ?? []).map { ($0.key, $0.value.string ?? "") }
    let needed: [String] =
      switch kind {
      case .clientCredentials: ["client_id"]
      case .refreshToken: ["refresh_token"]
      case .password: ["username", "password"]
      }
    for name in needed
    where options.given(name) == nil && !extra.contains(where: { $0.name == name }) {
      diagnostics.error(
        "missing-key", "“auth.oauth2” with the grant \(kind.rawValue) needs “\(name)”",
        at: options.node.location)
    }
  }

  /// What gives requests the token.
  func authorizer(_ keeper: any TokenKeeper) -> TokenAuthorizer {
    TokenAuthorizer(
      name: name, keeper: keeper,
      credential: { .header(name: "Authorization", value: "Bearer \($0)") },
      obtain: { try await token(keeper, $0) })
  }

  /// What the tokens are kept under: a hash of all that decides which tokens they are.
  private var name: String {
    let parts =
      [url.description, kind.rawValue, clientID, clientSecret, refreshToken, username, password]
      .map { $0 ?? "" } + scopes + extra.flatMap { [$0.name, $0.value] }
    return "oauth2 "
      + SHA256.hexadecimal(parts.map { "\($0.utf8.count):\($0)" }.joined())
  }

  private var refreshName: String { name + " refresh" }

  private func token(_ keeper: any TokenKeeper, _ client: any HTTPClient) async throws -> KeptToken
  {
    switch kind {
    case .clientCredentials: return try await request([], keeper, client)
    case .password:
      if let kept = keeper.token(refreshName)?.value {
        do {
          return try await refresh(with: kept, keeper, client)
        } catch let error as AggregateError where error.code == .rejected {
          keeper.keep(nil, as: refreshName)
        }
      }
      let user = [("username", username), ("password", password)]
      return try await request(
        user.compactMap { name, value in value.map { (name, $0) } }, keeper, client)
    case .refreshToken:
      let used = keeper.token(refreshName)?.value ?? refreshToken ?? ""
      do {
        return try await refresh(with: used, keeper, client)
      } catch let error as AggregateError where error.code == .rejected {
        // Another process may have used it up and kept the one that came for it.
        guard let newer = keeper.token(refreshName)?.value, newer != used else { throw error }
        return try await refresh(with: newer, keeper, client)
      }
    }
  }

  private func refresh(
    with token: String, _ keeper: any TokenKeeper, _ client: any HTTPClient
  ) async throws -> KeptToken {
    try await request([("refresh_token", token)], grant: .refreshToken, keeper, client)
  }

  private func request(
    _ fields: [(String, String)], grant: Kind? = nil, _ keeper: any TokenKeeper,
    _ client: any HTTPClient
  ) async throws -> KeptToken {
    var fields = [("grant_type", (grant ?? kind).rawValue)] + fields
    if !scopes.isEmpty { fields.append(("scope", scopes.joined(separator: " "))) }
    for item in extra where !fields.contains(where: { $0.0 == item.name }) {
      fields.append((item.name, item.value))
    }
    var request = HTTPRequest("POST", url)
    request.staysAtOrigin = true
    request.headers = [
      HTTPField("Content-Type", "application/x-www-form-urlencoded"),
      HTTPField("Accept", "application/json"),
    ]
    if let clientID {
      if let clientSecret, !sendsBody {
        // RFC 6749, 2.3.1: both are form-encoded before they are joined.
        let pair = "\(WebURL.encoded(clientID)):\(WebURL.encoded(clientSecret))"
        keeper.conceal(Base64.encode(Array("\(clientID):\(clientSecret)".utf8)))
        request.credentials = [
          .header(name: "Authorization", value: "Basic \(Base64.encode(Array(pair.utf8)))")
        ]
      } else {
        fields.append(("client_id", clientID))
        if let clientSecret { fields.append(("client_secret", clientSecret)) }
      }
    }
    for (name, value) in fields where name == "refresh_token" { keeper.conceal(value) }
    request.body = Array(
      fields.map { "\(WebURL.encoded($0.0))=\(WebURL.encoded($0.1))" }.joined(separator: "&").utf8)
    let response: HTTPResponse
    do {
      response = try await client.send(request)
    } catch let error as AggregateError {
      throw failure(error, grant ?? kind)
    }
    return try answer(response, grant ?? kind, keeper)
  }

  private func answer(
    _ response: HTTPResponse, _ grant: Kind, _ keeper: any TokenKeeper
  ) throws -> KeptToken {
    let root = try? JSONDocument(parsing: response.body).root
    guard let root, let token = root["access_token"]?.string, !token.isEmpty else {
      let said = root?["error_description"]?.string ?? root?["error"]?.string
      throw failure(
        AggregateError(
          .rejected,
          "POST \(url) answered \(response.status)"
            + (said.map { ": “\($0)”" } ?? " without an access_token"), status: response.status),
        grant)
    }
    // Kept before anything uses the new access token: the refresh token before is used up.
    if let refresh = root["refresh_token"]?.string, !refresh.isEmpty, kind != .clientCredentials {
      keeper.conceal(refresh)
      keeper.keep(KeptToken(refresh), as: refreshName)
    }
    let lifetime = root["expires_in"].flatMap { $0.double ?? $0.string.flatMap { Double($0) } }
    return KeptToken(token, lifetime: lifetime)
  }

  private func failure(_ error: AggregateError, _ grant: Kind) -> AggregateError {
    var error = error
    error.message = "no access token by \(grant.rawValue): \(error.message)"
    guard error.code == .rejected else { return error }
    error.hint =
      switch grant {
      case .refreshToken:
        "the refresh token is used up, expired or withdrawn: get a new one and set “refresh_token”"
      case .clientCredentials: "check “client_id”, “client_secret”, “scopes” and “send: basic|body”"
      case .password: "check “username” and “password”, and the client's secret"
      }
    return error
  }
}
