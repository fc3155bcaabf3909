internal import AggregateCore

/// The credentials that `auth` declares.
enum Authentication {
  static func credentials(_ options: Options) -> [Credential] {
    guard let auth = options.options("auth", specs: RESTOptions.auth) else { return [] }
    if let token = auth.text("bearer") {
      return [.header(name: "Authorization", value: "Bearer \(token)")]
    }
    if let basic = auth.options("basic", specs: []), let user = basic.text("user"),
      let password = basic.text("password")
    {
      let pair = Base64.encode(Array("\(user):\(password)".utf8))
      return [.header(name: "Authorization", value: "Basic \(pair)")]
    }
    if let key = auth.options("api_key", specs: RESTOptions.apiKey), let name = key.text("name"),
      let value = key.text("value")
    {
      let whole = (key.text("prefix") ?? "") + value
      return switch key.text("in") {
      case "query": [.query(name: name, value: whole)]
      case "cookie": [.cookie(name: name, value: whole)]
      default: [.header(name: name, value: whole)]
      }
    }
    if let aws = auth.options("aws_sigv4", specs: RESTOptions.awsSigV4),
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
