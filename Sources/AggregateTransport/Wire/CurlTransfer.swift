internal import AggregateCore
internal import CCurl

/// What all transfers of an engine have in common.
struct CurlOptions: Sendable {
  /// How the program names itself.
  var userAgent: String
  /// A file of certificates to trust in place of the system's.
  var authorities: String?
  /// What is asked without the proxy of the environment.
  var proxyExceptions: ProxyExceptions
}

/// One exchange under way in libcurl.
///
/// Created by the asking task, then touched only by the thread of its ``CurlLoop``: that is what
/// makes it sound to send.
final class CurlTransfer: @unchecked Sendable {
  let id: UInt64
  let easy: UnsafeMutableRawPointer
  private let handles: CurlHandles
  private let request: WireRequest
  private let continuation: CheckedContinuation<WireResponse, any Error>
  private var headerList: UnsafeMutableRawPointer?
  private let message = CurlMessage()
  private var headers: [HTTPField] = []
  private var headerBytes = 0
  private var isHeaderComplete = false
  private var version = "HTTP/1.1"
  private var decoder: BodyDecoder?
  private var failure: (any Error)?
  private let startedAt = Instant.now
  private var lastActivity = ContinuousClock.now
  private var lastProgress: Int64 = 0

  /// The most bytes that one call to the system receives.
  private static let receiveBuffer = 128 << 10

  init?(
    id: UInt64, _ request: WireRequest, _ options: CurlOptions, _ handles: CurlHandles,
    _ continuation: CheckedContinuation<WireResponse, any Error>
  ) {
    guard let easy = handles.take() else { return nil }
    self.id = id
    self.easy = easy
    self.handles = handles
    self.request = request
    self.continuation = continuation
    configure(options)
  }

  deinit {
    handles.giveBack(easy)
    ccurl_list_free(headerList)
  }

  /// Ends the exchange with `error`.
  func fail(_ error: any Error) { continuation.resume(throwing: error) }

  /// Ends the exchange as libcurl did.
  func complete(_ code: Int32) {
    let seconds = Double(ccurl_get_offset(easy, Int32(CURLINFO_TOTAL_TIME_T.rawValue))) / 1e6
    if let failure { return continuation.resume(throwing: failure) }
    guard code == 0 else {
      let failure = CurlFailure(
        easy: easy, message: message.text, request: request, isInHeader: !isHeaderComplete)
      return continuation.resume(throwing: failure.of(code, seconds))
    }
    // libcurl takes the beginning of a header for all of it.
    guard isHeaderComplete else {
      return continuation.resume(throwing: WireFailure("the answer ends within its header"))
    }
    do {
      let body = try decoder?.finish() ?? .empty
      var response = WireResponse(
        status: ccurl_get_long(easy, Int32(CURLINFO_RESPONSE_CODE.rawValue)), headers: headers,
        body: body, startedAt: startedAt)
      response.bytesReceived = decoder?.received ?? 0
      response.seconds = seconds
      response.version = version
      continuation.resume(returning: response)
    } catch {
      continuation.resume(throwing: translated(error))
    }
  }

  /// When the transfer counts as stalled if nothing moves until then.
  var stallDeadline: ContinuousClock.Instant { lastActivity + request.policy.stallTimeout }

  /// Whether nothing moved for too long. libcurl's own measure is an average that notices late.
  func isStalled(_ now: ContinuousClock.Instant) -> Bool {
    guard now >= stallDeadline else { return false }
    let isConnected = ccurl_get_offset(easy, Int32(CURLINFO_PRETRANSFER_TIME_T.rawValue)) > 0
    let sent = ccurl_get_offset(easy, Int32(CURLINFO_SIZE_UPLOAD_T.rawValue))
    // Until there is a connection the limit for connecting counts.
    let progress = isConnected ? sent + 1 : lastProgress - 1
    guard progress != lastProgress else { return true }
    lastProgress = max(0, progress)
    lastActivity = now
    return false
  }

  /// Ends the exchange as stalled.
  func stall() {
    let limit = WaitText.of(request.policy.stallTimeout.seconds)
    fail(WireFailure("timeout: not a byte for \(limit)"))
  }

  private func configure(_ options: CurlOptions) {
    let policy = request.policy
    set(CURLOPT_URL, request.url.description)
    set(CURLOPT_PRIVATE, Unmanaged.passUnretained(self).toOpaque())
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_BUFFERSIZE, Self.receiveBuffer)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    if request.url.scheme == "https" { set(CURLOPT_PIPEWAIT, 1) }
    set(CURLOPT_CONNECTTIMEOUT_MS, policy.connectTimeout.milliseconds)
    set(CURLOPT_TIMEOUT_MS, policy.totalTimeout.milliseconds)
    set(CURLOPT_USERAGENT, options.userAgent)
    set(CURLOPT_ERRORBUFFER, message.memory)
    setSecurity(options)
    if request.method == "HEAD" {
      set(CURLOPT_NOBODY, 1)
    } else if let body = request.body ?? (request.method == "POST" ? [] : nil) {
      body.withUnsafeBytes { bytes in
        _ = ccurl_set_body(easy, bytes.baseAddress ?? UnsafeRawPointer(easy), bytes.count)
      }
      set(CURLOPT_CUSTOMREQUEST, request.method)
    } else if request.method != "GET" {
      set(CURLOPT_CUSTOMREQUEST, request.method)
    }
    if request.usesNetrc { set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue)) }
    if let signing = request.signing {
      set(CURLOPT_AWS_SIGV4, "aws:amz:\(signing.region):\(signing.service)")
      set(CURLOPT_USERNAME, signing.accessKey)
      set(CURLOPT_PASSWORD, signing.secretKey)
    }
    setHeaders()
    set(CURLOPT_HEADERDATA, Unmanaged.passUnretained(self).toOpaque())
    set(CURLOPT_WRITEDATA, Unmanaged.passUnretained(self).toOpaque())
    _ = ccurl_set_sink(easy, Int32(CURLOPT_HEADERFUNCTION.rawValue)) { data, size, count, context in
      CurlTransfer.received(data, size * count, context) { $0.receiveHeader($1) }
    }
    _ = ccurl_set_sink(easy, Int32(CURLOPT_WRITEFUNCTION.rawValue)) { data, size, count, context in
      CurlTransfer.received(data, size * count, context) { $0.receiveBody($1) }
    }
  }

  private func setSecurity(_ options: CurlOptions) {
    let tls = request.policy.tls
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let file = options.authorities {
      set(CURLOPT_CAINFO, file)
      set(CURLOPT_PROXY_CAINFO, file)
    }
    if let file = tls.authorities {
      set(CURLOPT_CAINFO, file)
      // Only these are trusted, and not those of the system's folder beside them.
      set(CURLOPT_CAPATH, nil)
    }
    if let file = tls.certificate {
      let name = file.lowercased()
      let type = name.hasSuffix(".p12") || name.hasSuffix(".pfx") ? "P12" : "PEM"
      set(CURLOPT_SSLCERT, file)
      set(CURLOPT_SSLCERTTYPE, type)
      if type == "PEM" { set(CURLOPT_SSLKEY, tls.key ?? file) }
      // Without one, OpenSSL would ask for it at the terminal.
      set(CURLOPT_KEYPASSWD, tls.passphrase ?? "")
    }
    if let proxy = request.policy.proxy {
      set(CURLOPT_PROXY, proxy)
      // What the environment leaves out is said for its own proxy.
      set(CURLOPT_NOPROXY, "")
    } else if options.proxyExceptions.contains(request.url) {
      set(CURLOPT_PROXY, "")
    }
  }

  private func setHeaders() {
    var names: Set<String> = []
    for field in request.headers {
      names.insert(field.name.lowercased())
      // A field without a value ends in a semicolon: libcurl takes a bare colon for a removal.
      append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    if !names.contains("accept-encoding") { append("Accept-Encoding: gzip, deflate") }
    if !names.contains("content-type") { append("Content-Type:") }
    append("Expect:")
    set(CURLOPT_HTTPHEADER, headerList)
  }

  private func append(_ line: String) { headerList = ccurl_list_append(headerList, line) }

  private func set(_ option: CURLoption, _ value: Int) {
    _ = ccurl_set_long(easy, Int32(option.rawValue), value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    _ = ccurl_set_text(easy, Int32(option.rawValue), value)
  }

  private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
    _ = ccurl_set_pointer(easy, Int32(option.rawValue), value)
  }

  /// Gives what a sink of libcurl returns: all of it, or nothing to abort the transfer.
  private static func received(
    _ data: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ take: (CurlTransfer, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    transfer.lastActivity = .now
    return take(transfer, UnsafeRawBufferPointer(start: data, count: count)) ? count : 0
  }

  private func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headerBytes += bytes.count
    if headerBytes > 1_000_000 {
      failure = WireFailure("the header is larger than 1 MB", isTransient: false)
      return false
    }
    let line = HeaderLine(bytes)
    switch line {
    case .status(let version):
      headers = []
      isHeaderComplete = false
      self.version = version
    case .end:
      isHeaderComplete = true
      if let problem = HeaderLine.problem(ofLengthIn: headers) {
        failure = WireFailure(problem)
        return false
      }
    // Behind the body come trailers, which nothing asks for.
    case .field(let field): if !isHeaderComplete { headers.append(field) }
    case .continuation(let text):
      if !isHeaderComplete, !headers.isEmpty { headers[headers.count - 1].value += " " + text }
    case .nothing: break
    }
    return true
  }

  private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    do {
      if decoder == nil {
        let length = values("content-length").last.flatMap { Int($0) } ?? 0
        let encoding = values("content-encoding").joined(separator: ",")
        if length > request.policy.maxBody && encoding.isEmpty {
          throw BodyDecoder.Problem.tooLarge
        }
        decoder = BodyDecoder(
          encoding: encoding, limit: request.policy.maxBody, expected: length)
      }
      try decoder?.append(bytes)
      return true
    } catch {
      failure = translated(error)
      return false
    }
  }

  private func values(_ name: String) -> [String] {
    headers.filter { $0.isNamed(name) }.map(\.value)
  }

  private func translated(_ error: any Error) -> any Error {
    switch error as? BodyDecoder.Problem {
    case .tooLarge:
      AggregateError(
        .limit, "the body is larger than \(ByteCount.text(request.policy.maxBody))",
        hint: "max_body sets the limit")
    case .malformed(let message): WireFailure(message)
    case .unsupported(let message):
      WireFailure(
        message, isTransient: false,
        hint:
          "gzip, deflate, br and zstd can be decoded; “headers: { Accept-Encoding: gzip }” asks "
          + "for one")
    case nil: error
    }
  }
}
