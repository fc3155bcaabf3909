public import AggregateCore

/// From the declared templates to requests: a part for each value of `for_each`, page by page.
public struct RESTEndpoint: Endpoint {
  /// What the decoder makes of a body.
  public typealias Payload = RESTPayload

  var template: RequestTemplate
  let forEach: ForEach
  let paging: Paging<RESTPayload>
  let errors: ErrorRules

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    template = RequestTemplate(options, &diagnostics)
    forEach = ForEach(options, &diagnostics)
    paging = PagingOptions(options, &diagnostics).paging
    errors = ErrorRules(options, &diagnostics)
  }

  /// A part for each combination of the values of `for_each`.
  public func parts(
    _ context: ProviderContext, yield: (RESTPart) async throws -> Void
  ) async throws {
    try await forEach.parts(context, yield)
  }

  /// The declared paging.
  public func paging(of part: RESTPart) -> Paging<RESTPayload> { paging }

  /// The request for a part, without its pages.
  public func request(for part: RESTPart) throws -> HTTPRequest {
    try request(for: part, .changes([]), in: nil)
  }

  /// The request for a page.
  public func request(
    for part: RESTPart, _ ask: PageAsk, in window: Window?
  ) throws -> HTTPRequest {
    let values = part.values(in: window)
    var request =
      switch ask {
      case .changes(let changes): try template.request(values, changes, window)
      case .link(let link, let page):
        try template.request(following: link, from: page, values, window)
      }
    request.judge = errors.judge
    return request
  }

  /// Whether no rule of `errors` says that an answer is the end of its part.
  public func isPage(_ answer: HTTPResponse, _ context: ProviderContext) throws -> Bool {
    guard let rule = errors.first(matching: answer) else { return true }
    switch rule.action {
    case .skip, .stop:
      context.log.detail(
        "\(context.source): \(rule.message ?? "left out"): \(answer.status) \(answer.url)")
      return false
    case .fail, .retry, .refreshAuth:
      throw AggregateError(
        .rejected, rule.message ?? "an answer matches a rule of “errors”: \(answer.url)",
        status: answer.status)
    }
  }

  /// The values of `for_each` that tell a part from the others.
  public func name(of part: RESTPart) -> String { forEach.name(of: part.values) }
}
