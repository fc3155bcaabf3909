internal import AggregateCore

/// A status or a class of statuses: `404`, `4xx`.
struct StatusRange: Sendable, Hashable {
  let range: ClosedRange<Int>

  init?(_ text: String) {
    if let status = Int(text), (100...599).contains(status) {
      range = status...status
    } else if text.count == 3, text.lowercased().hasSuffix("xx"),
      let digit = text.first?.wholeNumberValue, (1...5).contains(digit)
    {
      range = digit * 100...digit * 100 + 99
    } else {
      return nil
    }
  }
}

/// What is done with an answer that is no data.
struct ErrorRule: Sendable {
  enum Action: String, Sendable, CaseIterable {
    /// The partition has no further rows.
    case skip
    /// The request is sent again, as the policy allows.
    case retry
    /// The source fails.
    case fail
    /// The page was the last one.
    case stop
    /// The credentials are renewed and the request is sent again, once.
    case refreshAuth = "refresh_auth"
  }

  let statuses: [StatusRange]
  let body: BodyCondition?
  let action: Action
  let message: String?

  init?(_ node: Node, _ diagnostics: inout Diagnostics) {
    let options = Options(node, specs: RESTOptions.rule)
    guard let action = options.text("do").flatMap(Action.init) else { return nil }
    self.action = action
    statuses = (options.texts("status") ?? []).compactMap { StatusRange($0) }
    body = options.given("body").flatMap { BodyCondition($0, name: "errors.body", &diagnostics) }
    message = options.text("message")
    if statuses.isEmpty && options.given("body") == nil {
      diagnostics.error(
        "error-rule", "a rule of “errors” needs “status” or “body”", at: node.location)
    }
  }

  /// Whether the rule is for this answer.
  func matches(_ response: HTTPResponse) -> Bool {
    if !statuses.isEmpty, !statuses.contains(where: { $0.range.contains(response.status) }) {
      return false
    }
    // Without a status of its own, a rule over the body is for data and errors alike.
    guard let body else { return true }
    return body.holds(in: response)
  }
}

/// The rules of a source; the first that matches decides.
struct ErrorRules: Sendable {
  let rules: [ErrorRule]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    rules = (options.nodes("errors") ?? []).compactMap { ErrorRule($0, &diagnostics) }
  }

  func first(matching response: HTTPResponse) -> ErrorRule? {
    rules.first { $0.matches(response) }
  }

  /// The judge that the transport asks.
  var judge: (@Sendable (HTTPResponse) -> ResponseVerdict?)? {
    if rules.isEmpty { return nil }
    return { response in
      guard let rule = first(matching: response) else { return nil }
      return switch rule.action {
      case .skip, .stop: .accept
      case .retry: .retry(message: rule.message)
      case .fail: .fail(message: rule.message)
      case .refreshAuth: .renew(message: rule.message)
      }
    }
  }
}
