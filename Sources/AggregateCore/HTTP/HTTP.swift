/// A header field.
public struct HTTPField: Sendable, Hashable {
  /// The name, as written.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether it has this name; names match without case.
  public func isNamed(_ other: String) -> Bool {
    // Most names differ in length: the bytes are rarely looked at.
    name.utf8.count == other.utf8.count
      && zip(name.utf8, other.utf8).allSatisfy { Self.lowered($0) == Self.lowered($1) }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}

/// Where a secret goes in a request. It is added by the transport, and only for its own origin.
public enum Credential: Sendable, Hashable {
  /// A header field.
  case header(name: String, value: String)
  /// A query item; not added when the address has it already.
  case query(name: String, value: String)
  /// A cookie.
  case cookie(name: String, value: String)
  /// Signs the request with AWS Signature Version 4.
  case awsSigV4(
    region: String, service: String, accessKey: String, secretKey: String, token: String?)
  /// Whatever `~/.netrc` has for the host.
  case netrc
}

/// What gives a request its credentials, when they have to be fetched or renewed.
public protocol RequestAuthorizer: Sendable {
  /// The credentials for `request`; may use `client` to log in or to renew a token.
  func credentials(
    for request: HTTPRequest, using client: any HTTPClient
  ) async throws -> [Credential]

  /// Told that the server refused `credentials`; says whether there are other ones to try with.
  func renew(
    after response: HTTPResponse, refused credentials: [Credential], using client: any HTTPClient
  ) async throws -> CredentialRenewal

  /// The statuses that mean that the credentials are refused or used up.
  var refusals: Set<Int> { get }

  /// How often one request may have credentials renewed.
  var renewals: Int { get }
}

extension RequestAuthorizer {
  /// Only 401.
  public var refusals: Set<Int> { [401] }

  /// Once.
  public var renewals: Int { 1 }
}

/// What came of credentials that were refused.
public enum CredentialRenewal: Sendable {
  /// There are no others.
  case none
  /// They were renewed for this request.
  case renewed
  /// Others were refused too, and had them renewed meanwhile.
  case changed
}

/// What is to be done with an answer.
public enum ResponseVerdict: Sendable, Hashable {
  /// It is data.
  case accept
  /// It is a passing failure: try again, as the policy allows.
  case retry(message: String?)
  /// It is final: give up with this message.
  case fail(message: String?)
  /// The credentials are no longer good: renew them and send the request again.
  case renew(message: String?)
}

/// The files of a connection over TLS, in PEM; nil for what the system has.
public struct TLSFiles: Sendable, Hashable {
  /// The certificates of the authorities that are trusted, and no others.
  public var authorities: String?
  /// The client's own certificate, with those between it and its authority; PKCS #12 when it ends in `.p12` or `.pfx`.
  public var certificate: String?
  /// The key of the client's certificate; nil when it stands in the same file.
  public var key: String?
  /// What the key is encrypted with.
  public var passphrase: String?

  /// No files.
  public init() {}

  /// The same without what tells who asks.
  public var withoutClient: TLSFiles {
    var files = TLSFiles()
    files.authorities = authorities
    return files
  }
}

/// How long to wait, how often to try, how much to read.
public struct RequestPolicy: Sendable, Hashable {
  /// How often a request is tried, the first time included.
  public var attempts = 4
  /// The longest single wait between two tries.
  public var maxWait: Duration = .seconds(60)
  /// After how many failed requests in a row a host is left alone for a while; 0 for never.
  public var breaker = 5
  /// The statuses after which a request is tried again.
  public var retryStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
  /// The longest time to establish a connection.
  public var connectTimeout: Duration = .seconds(10)
  /// The longest time for a whole request.
  public var totalTimeout: Duration = .seconds(60)
  /// The longest time without a byte.
  public var stallTimeout: Duration = .seconds(30)
  /// The largest body, decompressed, in bytes.
  public var maxBody = 50_000_000
  /// Who is trusted over TLS, and who asks.
  public var tls = TLSFiles()
  /// The proxy, with user and password; empty for none, nil for what the environment says.
  public var proxy: String?

  /// The usual policy.
  public init() {}
}

/// One HTTP request.
public struct HTTPRequest: Sendable {
  /// The method.
  public var method: String
  /// The address, without credentials.
  public var url: WebURL
  /// Header fields beside those that the transport adds.
  public var headers: [HTTPField]
  /// The body.
  public var body: [UInt8]?
  /// Secrets for the origin of `url`.
  public var credentials: [Credential]
  /// What renews credentials, when they are not fixed.
  public var authorizer: (any RequestAuthorizer)?
  /// Judges an answer before the usual rules do; nil from it means: by the usual rules.
  public var judge: (@Sendable (HTTPResponse) -> ResponseVerdict?)?
  /// Whether a redirect to another origin is refused, because the body has secrets.
  public var staysAtOrigin = false
  /// Whether the client's certificate of the source is for the origin of `url`.
  public var showsCertificate = true
  /// Told when the request has its place before all that are sent after this; may be called again.
  public var onStart: (@Sendable () -> Void)?

  /// Creates a request.
  public init(
    _ method: String = "GET", _ url: WebURL, headers: [HTTPField] = [], body: [UInt8]? = nil,
    credentials: [Credential] = []
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.credentials = credentials
  }
}

/// One HTTP answer, complete.
public struct HTTPResponse: Sendable {
  /// The status.
  public var status: Int
  /// The header fields, in order.
  public var headers: [HTTPField]
  /// The body, decompressed.
  public var body: ByteBuffer
  /// The address that answered, after redirects, without credentials.
  public var url: WebURL
  /// When it was fetched.
  public var fetchedAt: Instant

  /// Creates an answer.
  public init(
    status: Int, headers: [HTTPField], body: ByteBuffer, url: WebURL, fetchedAt: Instant
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.fetchedAt = fetchedAt
  }

  /// The value of a header field, several joined with `, `; names match without case.
  public func header(_ name: String) -> String? {
    let values = headers.lazy.filter { $0.isNamed(name) }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}

/// Sends requests: retries, waits, follows redirects and limits as its policy says.
public protocol HTTPClient: Sendable {
  /// The answer to `request`.
  ///
  /// - Throws: ``AggregateError`` with code `unavailable`, `rejected` or `limit` when there is no
  ///   usable answer: a transport failure, a status of 400 and more that nobody accepted.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
