internal import AggregateCore
internal import CCrypto

/// Signs JSON Web Tokens (RFC 7519) with HS256 or RS256.
struct TokenSigner: Sendable {
  private let isRSA: Bool
  private let key: String
  private let location: SourceLocation
  private let claims: [(key: String, value: BodyValue)]
  private let lifetime: Int64
  private let header: String
  private let prefix: String

  init?(_ options: Options, _ diagnostics: inout Diagnostics) {
    guard let key = options.text("key") else { return nil }
    self.key = key
    isRSA = options.text("algorithm") == "RS256"
    location = options.location("key")
    claims = (options.entries("claims") ?? []).map { ($0.key, BodyValue($0.value)) }
    lifetime = max(1, options.duration("ttl")?.components.seconds ?? 300)
    header = options.text("header") ?? "Authorization"
    prefix = options.text("prefix") ?? "Bearer "
    if isRSA, !key.contains("-----BEGIN") {
      diagnostics.error(
        "key", "“auth.jwt.key” is not a private key in PEM", at: location,
        hint: "read it from a file: key: \"${file:key.pem}\"")
    }
  }

  /// What gives requests the token.
  func authorizer(_ keeper: any TokenKeeper) -> TokenAuthorizer {
    TokenAuthorizer(
      name: nil, keeper: keeper,
      credential: { [header, prefix] in .header(name: header, value: prefix + $0) },
      obtain: { _ in KeptToken(try token(at: .now), lifetime: Double(lifetime)) })
  }

  /// The token that is good from `now` on.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when the key can't sign.
  func token(at now: Instant) throws -> String {
    let seconds = now.microseconds / 1_000_000
    var members = claims
    for (name, value) in [("iat", seconds), ("exp", seconds + lifetime)]
    where !members.contains(where: { $0.key == name }) {
      members.append((name, .literal(String(value))))
    }
    let body = BodyValue.object(members)
    var values: [String: String] = [:]
    // Claims are no templates.
    for name in body.templates.flatMap(\.names) { values[name] = "{\(name)}" }
    let head = "{\"alg\":\"\(isRSA ? "RS256" : "HS256")\",\"typ\":\"JWT\"}"
    let message = Self.encoded(Array(head.utf8)) + "." + Self.encoded(Array(body.json(values).utf8))
    let signature =
      isRSA
      ? try signature(of: Array(message.utf8))
      : MessageAuthentication.sha256(Array(message.utf8), key: Array(key.utf8))
    return message + "." + Self.encoded(signature)
  }

  private func signature(of message: [UInt8]) throws -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: 2048)
    var count = 0
    let pem = Array(key.utf8)
    let problem = ccrypto_sign_rs256(
      pem, pem.count, message, message.count, &signature, signature.count, &count)
    if let problem {
      throw AggregateError(
        .configuration, "“auth.jwt”: \(String(cString: problem))", location: location)
    }
    return Array(signature.prefix(count))
  }

  /// Base64 for addresses, without padding.
  private static func encoded(_ bytes: [UInt8]) -> String {
    let text = Base64.encode(bytes).utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
