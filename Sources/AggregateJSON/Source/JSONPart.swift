public import AggregateCore

/// A part of a ``JSONSource`` that is read on its own: a room, a city, or the whole of it.
public struct JSONPart: Sendable {
  /// What messages call it; empty for the whole source.
  public let name: String
  /// Where it is; nil when an option was wrong, which was reported.
  public let url: WebURL?
  /// Header fields of its requests.
  public var headers: [HTTPField]
  /// Secrets, which stand in no address and no log.
  public var credentials: [Credential]

  /// Creates a part.
  ///
  /// - Parameters:
  ///   - path: What stands behind `url`, encoded.
  ///   - query: Parameters in their order; those that are nil are left out.
  public init(
    _ url: WebURL?, path: String = "", name: String = "",
    query: KeyValuePairs<String, String?> = [:], headers: [HTTPField] = [],
    credentials: [Credential] = []
  ) {
    self.name = name
    var url = url
    url?.path += path
    for (name, value) in query {
      if let value { url?.append(query: name, value) }
    }
    self.url = url
    self.headers = headers
    self.credentials = credentials
  }

  /// A request to its address, or to another one of the same service.
  func request(_ url: WebURL? = nil, key: JSONKey?) throws -> HTTPRequest {
    guard let url = url ?? self.url else {
      throw AggregateError(.configuration, "the address of the source is wrong")
    }
    var request = HTTPRequest("GET", url, headers: headers, credentials: credentials)
    if let credential = key?.credential { request.credentials.append(credential) }
    return request
  }
}
