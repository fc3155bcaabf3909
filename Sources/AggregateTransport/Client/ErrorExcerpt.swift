internal import AggregateCore
internal import AggregateJSON

/// The few words of an error body that help.
enum ErrorExcerpt {
  private static let length = 200

  /// What the body says, on one line, without secrets; nil when it says nothing.
  static func of(_ response: HTTPResponse, redactor: Redactor) -> String? {
    let body = response.body.text(0..<min(response.body.count, 65_536))
    let head = body.prefix(200).trimmed.lowercased()
    if head.isEmpty { return nil }
    if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") { return "an HTML page" }
    // Redacted before it is cut, for half a secret is not found.
    let text = redactor.redact(told(in: response.body) ?? body)
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return "“\(line.count > length ? line.prefix(length) + "…" : line[...])”"
  }

  /// The members that services put their explanation into, the most telling first.
  private static let members = [
    "message", "error_description", "error", "errors", "detail", "details", "title", "reason",
    "description",
  ]

  /// The explanation in a JSON body.
  private static func told(in body: ByteBuffer) -> String? {
    guard body.count <= 1_000_000, let document = try? JSONDocument(parsing: body) else {
      return nil
    }
    return told(in: document.root, depth: 0)
  }

  private static func told(in node: JSONNode, depth: Int) -> String? {
    if let text = node.string { return text.trimmed.isEmpty ? nil : text }
    guard depth < 4 else { return nil }
    if let first = node[0] { return told(in: first, depth: depth + 1) }
    for name in members {
      if let member = node[name], let text = told(in: member, depth: depth + 1) { return text }
    }
    return nil
  }

  /// What may help with a status; nil when nothing is sure to.
  static func hint(for status: Int) -> String? {
    switch status {
    case 401: "the credentials are missing, wrong or expired: see “auth:”"
    case 403: "the credentials do not permit this, or the service refuses this client"
    case 404: "check the address and the names in it"
    case 407: CurlFailure.proxyHint
    case 429: "the service limits requests: set “rate_limit:” or a longer “retry: {max_wait: …}”"
    default: nil
    }
  }
}
