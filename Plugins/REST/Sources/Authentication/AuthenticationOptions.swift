internal import AggregateCore
internal import AggregateJSON

/// The options of `auth`: shapes, defaults and words.
enum AuthenticationOptions {
  /// Every kind.
  static let all =
    single + [
      OptionSpec(
        "rotate", .list(of: .oneOf(single, with: []), orSingle: false),
        "Several of the others; moves on to the next one when one is out of quota.",
        example: "[{ bearer: \"${TOKEN_1}\" }, { bearer: \"${TOKEN_2}\" }]")
    ]

  /// Every kind that stands for itself.
  static let single = [
    OptionSpec("bearer", .text, secret: true, "A token for the header Authorization."),
    OptionSpec(
      "basic",
      .object([
        OptionSpec("user", .text, required: true, "The name."),
        OptionSpec("password", .text, required: true, secret: true, "The password."),
      ]), "Basic authentication."),
    OptionSpec("api_key", .object(apiKey), "A key in a header, the query or a cookie."),
    OptionSpec(
      "oauth2", .object(oauth2), "A token of OAuth 2, fetched and renewed when needed.",
      example:
        "{ token_url: https://id.example.com/token, client_id: me, client_secret: \"${SECRET}\" }"),
    OptionSpec(
      "jwt", .object(jwt), "A token signed for each run.",
      example: "{ algorithm: RS256, key: \"${file:key.pem}\", claims: { iss: me } }"),
    OptionSpec(
      "login", .object(login), "A request that gives a token for the others.",
      example:
        "{ url: https://api.example.com/login, body: { json: { user: me } }, token: $.token }"),
    OptionSpec("aws_sigv4", .object(awsSigV4), "AWS Signature Version 4."),
    OptionSpec("netrc", .bool, "What `~/.netrc` has for the host."),
  ]

  private static let place = Shape.choice(["header", "query", "cookie"])

  private static let address = Shape.parsed(kind: "an address") { text in
    WebURL(text) == nil
      ? Shape.Mistake(
        "“\(text)” is not an HTTP address", hint: "it begins with http:// or https:// and a host")
      : nil
  }

  static let apiKey = [
    OptionSpec("in", place, default: "header", "Where the key goes."),
    OptionSpec("name", .text, required: true, "What the key is called there."),
    OptionSpec("value", .text, required: true, secret: true, "The key."),
    OptionSpec("prefix", .text, "What stands before it.", example: "Token "),
  ]

  static let oauth2 = [
    OptionSpec(
      "grant", .choice(OAuthGrant.Kind.allCases.map(\.rawValue)), default: "client_credentials",
      "What is given for the token."),
    OptionSpec("token_url", address, required: true, "Where tokens are had."),
    OptionSpec("client_id", .text, "The name of the client."),
    OptionSpec("client_secret", .text, secret: true, "The secret of the client."),
    OptionSpec("refresh_token", .text, secret: true, "The first refresh token."),
    OptionSpec("username", .text, secret: true, "The user, with `grant: password`."),
    OptionSpec("password", .text, secret: true, "The user's password."),
    OptionSpec("scopes", .list(of: .text, orSingle: true), "What the token is for."),
    OptionSpec(
      "send", .choice(["basic", "body"]), default: "basic",
      "Where the client's name and secret go: Basic authentication, or the body."),
    OptionSpec(
      "extra", .map(of: .text, keys: "field"), secret: true, "Further fields of the request."),
  ]

  static let jwt = [
    OptionSpec("algorithm", .choice(["HS256", "RS256"]), default: "HS256", "How it is signed."),
    OptionSpec(
      "key", .text, required: true, secret: true,
      "The shared secret, or for RS256 the private key in PEM."),
    OptionSpec(
      "claims", .map(of: .any, keys: "claim"), "What it says; `iat` and `exp` are added.",
      example: "{ iss: me }"),
    OptionSpec("ttl", .duration, default: "5min", "How long a token is good."),
    OptionSpec("header", .text, default: "Authorization", "The header field it goes to."),
    OptionSpec("prefix", .text, default: "Bearer ", "What stands before it."),
  ]

  static let login = [
    OptionSpec("url", .template, required: true, "Where to log in."),
    OptionSpec("method", .choice(["GET", "POST", "PUT", "PATCH"]), default: "POST", "The method."),
    OptionSpec("body", .oneOf(RESTOptions.body, with: []), secret: true, "What is sent."),
    OptionSpec(
      "token",
      .parsed(kind: "a JSONPath, or header:NAME") { text in
        if text.hasPrefix("header:") {
          return text.count > 7
            ? nil : Shape.Mistake("the name of the header is missing", offset: 7)
        }
        return JSONPath.mistake(in: text)
      }, default: "$.token", "Where the token is in the answer: a JSONPath, or `header:NAME`."),
    OptionSpec("in", place, default: "header", "Where the token goes."),
    OptionSpec(
      "name", .text, "What it is called there; without it the header Authorization."),
    OptionSpec("prefix", .text, "What stands before it; `Bearer ` without a name."),
    OptionSpec("ttl", .duration, "How long a token is good; without it, until it is refused."),
  ]

  static let awsSigV4 = [
    OptionSpec("region", .text, required: true, "The region, such as eu-west-1."),
    OptionSpec("service", .text, required: true, "The service, such as execute-api."),
    OptionSpec("access_key", .text, required: true, secret: true, "The access key."),
    OptionSpec("secret_key", .text, required: true, secret: true, "The secret key."),
    OptionSpec("session_token", .text, secret: true, "The token of a session."),
  ]
}
