internal import AggregateCore
internal import AggregateJSON

/// The error that NewsAPI puts into a body: `{"status": "error", "code": …, "message": …}`.
struct NewsAPIError: Sendable {
  let code: String
  let message: String

  /// Reads the error; nil when the body is something else.
  init?(_ response: HTTPResponse) {
    guard let first = response.body.copy(0..<response.body.count).first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{"), let root = try? JSONDocument(parsing: response.body).root
    else { return nil }
    self.init(root)
  }

  /// Reads the error of a body; nil when it reports none.
  init?(_ root: JSONNode) {
    guard root.kind == .object, root["status"]?.string == "error" else { return nil }
    code = root["code"]?.string ?? "unknown"
    message = root["message"]?.string ?? "it gives no reason"
  }

  /// Whether it only says that there is more than the plan of the key allows to read.
  var isCutOff: Bool { code == "maximumResultsReached" }

  /// How many results the plan allows to read, as the message says: “a max of 100 results”.
  var mostResults: Int? {
    guard let mark = message.firstRange(of: "max of ") else { return nil }
    return Int(message[mark.upperBound...].prefix { $0.isNumber })
  }

  /// What to do about it.
  var advice: String? {
    switch code {
    case "apiKeyMissing":
      "set api_key, as in api_key: ${NEWSAPI_KEY}; a free key is at https://newsapi.org/register"
    case "apiKeyInvalid":
      "check api_key; a free key is at https://newsapi.org/register"
    case "apiKeyDisabled": "the key was disabled; see https://newsapi.org/account"
    case "apiKeyExhausted":
      "the key has no requests left; wait for the next day or see https://newsapi.org/pricing"
    case "rateLimited":
      "wait, or keep within the plan with quota: 100/day; see https://newsapi.org/pricing"
    case "maximumResultsReached": "lower limit, or narrow the query or the time between from and to"
    case "sourcesTooMany": "give at most 20 sources, or split them over several declarations"
    case "sourceDoesNotExist": "endpoint: sources lists the valid identifiers"
    case "parameterInvalid": "check the options against the endpoint: not each takes all of them"
    case "parametersMissing":
      "top-headlines takes country, category, sources, query or language; everything takes query, "
        + "sources or domains"
    case "corsNotAllowed": "the developer plan answers only programs on your own machine"
    case "unexpectedError": "NewsAPI itself failed; try again later"
    default: nil
    }
  }

  /// The code, the message and what to do.
  var shown: String { "\(code): \(message)" + (advice.map { " (\($0))" } ?? "") }

  /// What the transport is to do; nil leaves it to the usual rules.
  func verdict(on response: HTTPResponse) -> ResponseVerdict? {
    if isCutOff { return .accept }
    let mayPass = response.status >= 500 || code == "unexpectedError"
    // Without a time to wait for, the limit is that of a day: trying again only makes it worse.
    let isTimed = code == "rateLimited" && response.header("Retry-After") != nil
    if isTimed { return .retry(message: shown) }
    if mayPass { return nil }
    return .fail(message: shown)
  }
}
