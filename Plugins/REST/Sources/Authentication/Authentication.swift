internal import AggregateCore

/// What `auth` declares: fixed credentials, or what fetches and renews them.
struct Authentication: Sendable {
  /// One kind of it.
  enum Kind: Sendable {
    case fixed([Credential])
    case oauth2(OAuthGrant)
    case jwt(TokenSigner)
    case login(LoginRequest)
  }

  /// The kind that is declared, or those of `rotate`.
  let kinds: [Kind]
  /// What each of them is called, without any of its values.
  let names: [String]
  private let rotates: Bool

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let auth = options.given("auth")
    let members = auth?["rotate"]?.sequence
    rotates = members != nil
    var kinds: [Kind] = []
    var names: [String] = []
    for node in members ?? [auth].compactMap({ $0 }) {
      guard let kind = Self.kind(node, &diagnostics) else { continue }
      kinds.append(kind)
      names.append(Self.name(kind, node))
    }
    self.kinds = kinds
    self.names = names
  }

  private static func name(_ kind: Kind, _ node: Node) -> String {
    let auth = Options(node, specs: AuthenticationOptions.single)
    let name = AuthenticationOptions.single.first { auth.given($0.name) != nil }?.name ?? "none"
    switch kind {
    case .fixed(let credentials) where credentials.isEmpty: return "none"
    case .oauth2(let grant): return "\(name) with the grant \(grant.kind.rawValue)"
    case .fixed where name == "api_key":
      let key = auth.options("api_key", specs: AuthenticationOptions.apiKey)
      return "\(name) in the \(key?.text("in") ?? "header")"
    case .fixed, .jwt, .login: return name
    }
  }

  private static func kind(_ node: Node, _ diagnostics: inout Diagnostics) -> Kind? {
    let auth = Options(node, specs: AuthenticationOptions.single)
    if let options = auth.options("oauth2", specs: AuthenticationOptions.oauth2) {
      return OAuthGrant(options, &diagnostics).map { .oauth2($0) }
    }
    if let options = auth.options("jwt", specs: AuthenticationOptions.jwt) {
      return TokenSigner(options, &diagnostics).map { .jwt($0) }
    }
    if let options = auth.options("login", specs: AuthenticationOptions.login) {
      return LoginRequest(options, &diagnostics).map { .login($0) }
    }
    return .fixed(credentials(node))
  }

  /// What gives the requests of a run their credentials; nil when they are fixed.
  func authorizer(_ context: ProviderContext) -> (any RequestAuthorizer)? {
    let members = kinds.map { Self.authorizer($0, context) }
    return rotates ? RotatingAuthorizer(members) : members.first.flatMap { $0.renewing }
  }

  private static func authorizer(
    _ kind: Kind, _ context: ProviderContext
  ) -> RotatingAuthorizer.Member {
    switch kind {
    case .fixed(let credentials): .fixed(credentials)
    case .oauth2(let grant): .renewing(grant.authorizer(context.services.tokens))
    case .jwt(let signer): .renewing(signer.authorizer(context.services.tokens))
    case .login(let login): .renewing(login.authorizer(context))
    }
  }

  /// The credentials that are written in the configuration.
  static func credentials(_ node: Node?) -> [Credential] {
    guard let node else { return [] }
    let auth = Options(node, specs: AuthenticationOptions.single)
    if let token = auth.text("bearer") {
      return [.header(name: "Authorization", value: "Bearer \(token)")]
    }
    if let basic = auth.options("basic", specs: []), let user = basic.text("user"),
      let password = basic.text("password")
    {
      let pair = Base64.encode(Array("\(user):\(password)".utf8))
      return [.header(name: "Authorization", value: "Basic \(pair)")]
    }
    if let key = auth.options("api_key", specs: AuthenticationOptions.apiKey),
      let name = key.text("name"), let value = key.text("value")
    {
      let whole = (key.text("prefix") ?? "") + value
      return [Credential(in: key.text("in"), name: name, value: whole)]
    }
    if let aws = auth.options("aws_sigv4", specs: AuthenticationOptions.awsSigV4),
      let region = aws.text("region"), let service = aws.text("service"),
      let access = aws.text("access_key"), let secret = aws.text("secret_key")
    {
      return [
        .awsSigV4(
          region: region, service: service, accessKey: access, secretKey: secret,
          token: aws.text("session_token"))
      ]
    }
    return auth.bool("netrc") ? [.netrc] : []
  }
}

extension Credential {
  /// A credential in the place that `in:` names, a header by default.
  init(in place: String?, name: String, value: String) {
    switch place {
    case "query": self = .query(name: name, value: value)
    case "cookie": self = .cookie(name: name, value: value)
    default: self = .header(name: name, value: value)
    }
  }
}
