public import AggregateCore

/// Exchanges one request for one answer, without retries, redirects or waits.
///
/// The network, a recording and what records it are wires; ``HTTPTransport`` is the same on each.
public protocol Wire: Sendable {
  /// The answer to `request`, whatever its status.
  ///
  /// - Throws: ``WireFailure`` when there is no complete answer, ``AggregateError`` with code `limit`
  ///   when the body is too large, `CancellationError` when the task is cancelled.
  func exchange(_ request: WireRequest) async throws -> WireResponse
}

/// A request as it goes out, credentials in place.
public struct WireRequest: Sendable {
  /// AWS Signature Version 4, without its session token, which is a header field.
  public struct Signing: Sendable, Hashable {
    var region: String
    var service: String
    var accessKey: String
    var secretKey: String
  }

  /// The method.
  public var method: String
  /// The address, with credentials.
  public var url: WebURL
  /// The address without credentials: what may be shown and recorded.
  public var shownURL: WebURL
  /// The names of the query items that are credentials.
  public var secretQueryNames: Set<String> = []
  /// The names of the header fields that are credentials, in lower case.
  public var secretHeaderNames: Set<String> = ["authorization", "cookie", "proxy-authorization"]
  /// All header fields beside those that describe the connection.
  public var headers: [HTTPField]
  /// The body.
  public var body: [UInt8]?
  /// How the request is signed.
  public var signing: Signing?
  /// Whether `~/.netrc` is asked for a user and a password.
  public var usesNetrc = false
  /// Told when the request has its place before all that are sent after this.
  public var onStart: (@Sendable () -> Void)?
  /// Timeouts and the largest body.
  public var policy: RequestPolicy

  /// Creates a request without credentials.
  public init(
    _ method: String, _ url: WebURL, headers: [HTTPField] = [], body: [UInt8]? = nil,
    policy: RequestPolicy = RequestPolicy()
  ) {
    self.method = method
    self.url = url
    shownURL = url
    self.headers = headers
    self.body = body
    self.policy = policy
  }
}

/// An answer as it came in, its body decompressed.
public struct WireResponse: Sendable {
  /// The status.
  public var status: Int
  /// The header fields, in order.
  public var headers: [HTTPField]
  /// The body, decompressed.
  public var body: ByteBuffer
  /// When the request was sent.
  public var startedAt: Instant
  /// How many bytes of the body came over the network, compressed.
  public var bytesReceived = 0
  /// How long it took, in seconds.
  public var seconds = 0.0
  /// `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`.
  public var version = "HTTP/1.1"

  /// Creates an answer.
  public init(status: Int, headers: [HTTPField], body: ByteBuffer, startedAt: Instant) {
    self.status = status
    self.headers = headers
    self.body = body
    self.startedAt = startedAt
  }
}

/// Why there is no complete answer.
public struct WireFailure: Error, Sendable, Hashable {
  /// What happened, such as `connection refused`.
  public var message: String
  /// Whether another try may help.
  public var isTransient: Bool
  /// What the user may do about it.
  public var hint: String?

  /// Creates a failure.
  public init(_ message: String, isTransient: Bool = true, hint: String? = nil) {
    self.message = message
    self.isTransient = isTransient
    self.hint = hint
  }
}
