/// Which answer rows came from, for `--provenance`.
public struct WorkOrigin: Sendable, Hashable {
  /// The address that answered, without credentials.
  public let url: WebURL
  /// When it answered.
  public let fetchedAt: Instant

  /// Creates an origin.
  public init(url: WebURL, fetchedAt: Instant) {
    self.url = url
    self.fetchedAt = fetchedAt
  }

  /// The origin of what `response` holds.
  public init(_ response: HTTPResponse) {
    self.init(url: response.url, fetchedAt: response.fetchedAt)
  }
}
