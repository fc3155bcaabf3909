internal import AggregateCore

/// Why a try gave nothing.
enum AttemptFailure {
  /// There was no complete answer.
  case wire(WireFailure)
  /// The answer is no data; with the message of the rule that says so.
  case answer(HTTPResponse, String?, isTransient: Bool)

  /// Whether another try may help.
  var isTransient: Bool {
    switch self {
    case .wire(let failure): failure.isTransient
    case .answer(_, _, let isTransient): isTransient
    }
  }

  /// The answer, when there is one.
  var answer: HTTPResponse? {
    if case .answer(let response, _, _) = self { response } else { nil }
  }

  /// A status, or the reason in a few words; without numbers, so that equal failures count as one.
  var reason: String {
    switch self {
    case .wire(let failure): String(failure.message.prefix { $0 != ":" })
    case .answer(let response, _, _): "\(response.status)"
    }
  }

  /// Whether it says that the host is down or too busy, and not only that this request found nothing.
  ///
  /// 500 often speaks of one record only.
  var isOfHost: Bool {
    switch self {
    case .wire: true
    case .answer(let response, _, let isTransient):
      isTransient && [429, 502, 503, 504].contains(response.status)
    }
  }
}

extension HTTPTransport {
  /// The error that ends a request, in words for the user.
  func error(
    for failure: AttemptFailure, _ request: HTTPRequest, attempts: Int
  ) -> AggregateError {
    let tries = attempts > 1 ? " (\(attempts) tries)" : ""
    switch failure {
    case .wire(let failure):
      return AggregateError(
        .unavailable, "\(request.method) \(request.url): \(failure.message)\(tries)",
        hint: failure.hint)
    case .answer(let response, let message, let isTransient):
      let status = response.status
      let isPassing = isTransient || status >= 500 || status == 429
      let said = message ?? ErrorExcerpt.of(response, redactor: redactor)
      let place = response.url == request.url ? "" : " at \(response.url)"
      return AggregateError(
        isPassing ? .unavailable : .rejected,
        "\(request.method) \(request.url) answered \(status)\(place)\(tries)"
          + (said.map { ": \($0)" } ?? ""),
        hint: message == nil ? ErrorExcerpt.hint(for: status) : nil, status: status)
    }
  }

  func redirectError(_ request: HTTPRequest, _ reason: String) -> AggregateError {
    AggregateError(.rejected, "\(request.method) \(request.url): redirect failed: \(reason)")
  }

  /// A line break in a header field would start another field, or another request.
  func checkHeaders(_ out: WireRequest, _ request: HTTPRequest) throws {
    for field in out.headers {
      let isBad =
        field.name.isEmpty
        || field.name.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: ":") || $0 >= 0x7F }
        || field.value.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }
      if isBad {
        throw AggregateError(
          .rejected, "\(request.method) \(request.url): the header “\(field.name)” is malformed",
          hint: "names are ASCII without spaces, values one line")
      }
    }
  }
}
