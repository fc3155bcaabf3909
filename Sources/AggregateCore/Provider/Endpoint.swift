/// From options to requests: what is asked, in which parts, how to page.
public protocol Endpoint: Sendable {
  /// A part of the source that can be read on its own, beside others: a place, a feed, one document.
  associatedtype Part: Sendable
  /// What the decoder makes of a body.
  associatedtype Payload: Sendable

  /// Yields the parts, in the order of their rows. May ask the service to find them.
  func parts(
    _ context: ProviderContext, yield: (Part) async throws -> Void
  ) async throws

  /// The same part as each of several services would be asked for it, in order; just the part where there is one.
  ///
  /// Each stands in for those before it: the first that has rows gives them.
  func services(for part: Part) -> [Service<Part>]

  /// The request for a part, without what its pages are asked with.
  func request(for part: Part) throws -> HTTPRequest

  /// How the pages of a part follow each other.
  func paging(of part: Part) -> Paging<Payload>

  /// The request for a page of a part, or of one window of it.
  func request(for part: Part, _ ask: PageAsk, in window: Window?) throws -> HTTPRequest

  /// The request for the page after `page`, where the paging is a rule; nil when that was the last.
  func request(
    after page: Page<Part, Payload>, _ context: ProviderContext
  ) async throws -> HTTPRequest?

  /// Whether an answer that the transport let through is a page; else it ends the part without a word.
  ///
  /// - Throws: ``AggregateError`` when it is an error after all.
  func isPage(_ answer: HTTPResponse, _ context: ProviderContext) throws -> Bool

  /// Told that a part was read, whatever came of it.
  func finish(_ part: Part)

  /// What tells a part from the others: in messages, and of an incremental source, which has a cursor for each.
  func name(of part: Part) -> String

  /// Says more about a failure of a part: which one it was, what would be valid.
  func explain(
    _ error: AggregateError, of part: Part, _ context: ProviderContext
  ) async -> AggregateError
}

/// A part as one of several services is asked for it.
public struct Service<Part: Sendable>: Sendable {
  /// The name of the service; empty where there is but one, whose failures are those of the part.
  public let name: String
  /// The part.
  public let part: Part

  /// Creates a service.
  public init(_ name: String, _ part: Part) {
    self.name = name
    self.part = part
  }
}

extension Endpoint {
  /// There is but one.
  public func services(for part: Part) -> [Service<Part>] { [Service("", part)] }

  /// A rule: ``request(after:_:)`` says what follows.
  public func paging(of part: Part) -> Paging<Payload> { .rule }

  /// The request for the part with what the window and the page ask for; a link is followed at its own host only.
  public func request(for part: Part, _ ask: PageAsk, in window: Window?) throws -> HTTPRequest {
    var request = try request(for: part)
    for item in window?.query ?? [] { request.url.set(query: item.name, item.value) }
    switch ask {
    case .changes(let changes): for change in changes { request.apply(change) }
    case .link(let link, let page):
      guard let url = page.resolving(link) else {
        throw AggregateError(
          .pagination, "the next page is “\(link)”, which is not an HTTP address")
      }
      guard url.hasOrigin(of: request.url) else {
        throw AggregateError(
          .pagination, "the next page is at another host: \(url)",
          hint: "credentials are never sent there")
      }
      request.url = url
    }
    return request
  }

  /// Nothing follows.
  public func request(
    after page: Page<Part, Payload>, _ context: ProviderContext
  ) async throws -> HTTPRequest? {
    nil
  }

  /// It is.
  public func isPage(_ answer: HTTPResponse, _ context: ProviderContext) throws -> Bool { true }

  /// Nothing is to be done.
  public func finish(_ part: Part) {}

  /// Nothing: all share one cursor.
  public func name(of part: Part) -> String { "" }

  /// The error as it is.
  public func explain(
    _ error: AggregateError, of part: Part, _ context: ProviderContext
  ) async -> AggregateError {
    error
  }
}

extension Endpoint {
  /// The request for the first page of a part.
  public func firstRequest(for part: Part, in window: Window? = nil) throws -> HTTPRequest {
    try request(for: part, PageWalk(paging(of: part)).first, in: window)
  }

  /// The requests for the first pages of the windows of a part, or of the part itself, as far as a plan shows them.
  public func plannedRequests(
    for part: Part, _ cursors: (any Cursors)?
  ) throws -> [HTTPRequest] {
    guard let cursors else { return [try firstRequest(for: part)] }
    var requests: [HTTPRequest] = []
    var next = try cursors.window(after: nil, of: name(of: part))
    while let window = next, requests.count < 1000 {
      requests.append(try firstRequest(for: part, in: window))
      next = try cursors.window(after: window, of: name(of: part))
    }
    return requests
  }
}

extension HTTPRequest {
  /// Changes an item of the query or a header field; bodies are for whoever makes them.
  fileprivate mutating func apply(_ change: RequestChange) {
    switch change {
    case .query(let name, let value): url.set(query: name, value)
    case .header(let name, let value):
      headers.removeAll { $0.isNamed(name) }
      headers.append(HTTPField(name, value))
    case .body: break
    }
  }
}
