internal import AggregateCore
internal import CCurl

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What the result codes of libcurl mean to a user.
struct CurlFailure {
  /// What a user may do when a proxy wants to know who asks.
  static let proxyHint =
    "“proxy: http://USER:PASSWORD@HOST:PORT” of the source, or the variables http_proxy and "
    + "https_proxy, say who asks"

  let easy: UnsafeMutableRawPointer
  /// What libcurl says in its own words; may be empty.
  let message: String
  let request: WireRequest
  /// Whether the header of the answer is not complete.
  let isInHeader: Bool

  /// The code of libcurl 8 for what is too large, which older headers do not have.
  private static let tooLarge: UInt32 = 100

  /// The failure for `code`, which is not zero, after some seconds.
  func of(_ code: Int32, _ seconds: Double) -> WireFailure {
    switch CURLcode(rawValue: UInt32(code)) {
    case CURLE_COULDNT_RESOLVE_HOST: return WireFailure("the host name was not found")
    case CURLE_COULDNT_RESOLVE_PROXY: return WireFailure("the proxy's name was not found")
    case CURLE_COULDNT_CONNECT: return refusal
    case CURLE_OPERATION_TIMEDOUT: return WireFailure(timeout(seconds))
    case CURLE_GOT_NOTHING: return WireFailure("the connection was closed without an answer")
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR: return broken
    case CURLE_PARTIAL_FILE: return WireFailure("the body ends too early")
    case CURLE_PROXY: return refusalByProxy
    case CURLE_SSL_CONNECT_ERROR:
      return TLSFailure.ofHandshake(message)
        ?? WireFailure("the connection ended while TLS was agreed on")
    case CURLE_PEER_FAILED_VERIFICATION:
      return TLSFailure.ofCertificate(
        ccurl_get_long(easy, Int32(CURLINFO_SSL_VERIFYRESULT.rawValue)),
        message, host: request.url.host)
    case CURLE_SSL_CERTPROBLEM:
      return WireFailure(
        "the client's certificate or its key could not be used: \(request.policy.tls.shown)",
        isTransient: false,
        hint:
          "“tls:” takes PEM files that belong together, and “passphrase” when the key is encrypted")
    case CURLE_SSL_CACERT_BADFILE:
      let file = request.policy.tls.authorities ?? "CURL_CA_BUNDLE or SSL_CERT_FILE"
      return WireFailure(
        "the certificates to trust could not be read (\(file))", isTransient: false,
        hint: "it is a file in PEM: “-----BEGIN CERTIFICATE-----”")
    case CURLE_URL_MALFORMAT: return WireFailure("the address is malformed", isTransient: false)
    case CURLE_OUT_OF_MEMORY where isInHeader, CURLcode(rawValue: Self.tooLarge):
      return WireFailure("a line of the header is larger than 100 kB", isTransient: false)
    case CURLE_UNSUPPORTED_PROTOCOL
    where message.contains("HTTP/0.9") || message.contains("in response"),
      CURLE_WEIRD_SERVER_REPLY:
      return WireFailure(
        "the answer is not HTTP", isTransient: false, hint: "check the port in the address")
    case CURLE_UNSUPPORTED_PROTOCOL:
      return WireFailure("libcurl lacks support for this", isTransient: false)
    default:
      return WireFailure(lowered(ccurl_easy_strerror(code).map { String(cString: $0) } ?? ""))
    }
  }

  /// A connection that was not made: the host's, or that to a proxy.
  private var refusal: WireFailure {
    let error = Int32(ccurl_get_long(easy, Int32(CURLINFO_OS_ERRNO.rawValue)))
    let said = error == ECONNREFUSED ? "connection refused" : "could not connect"
    // “Failed to connect to HOST port PORT …”: another host than that of the address is a proxy.
    let words = message.split(separator: " ")
    guard words.starts(with: ["Failed", "to", "connect", "to"]), words.count > 6,
      words[5] == "port"
    else { return WireFailure(said) }
    let place = "\(words[4]):\(words[6])"
    let origin = request.url.origin.drop { $0 != ":" }.dropFirst(3)
    let isDirect = origin == place || origin == "[\(words[4])]:\(words[6])"
    return isDirect ? WireFailure(said) : WireFailure("\(said) by the proxy \(place)")
  }

  /// An exchange that broke off while it was under way.
  private var broken: WireFailure {
    let answer = ccurl_get_long(easy, Int32(CURLINFO_HTTP_CONNECTCODE.rawValue))
    if answer >= 300 {
      let isPassing = answer >= 500 || answer == 429
      return WireFailure(
        "the proxy answered \(answer)", isTransient: isPassing,
        hint: answer == 407 ? Self.proxyHint : nil)
    }
    if let failure = TLSFailure.ofHandshake(message) { return failure }
    if message.contains("response headers") {
      return WireFailure("the header is too large", isTransient: false)
    }
    let isReset = ["Recv failure", "Send failure", "reset", "OpenSSL", "SSL_", "getpeername"]
      .contains { message.contains($0) }
    return WireFailure(
      message.isEmpty || isReset ? "the connection was reset" : lowered(message))
  }

  private var refusalByProxy: WireFailure {
    let isRejection = ["rejected", "authentication", "password", "credentials"]
      .contains { message.lowercased().contains($0) }
    return isRejection
      ? WireFailure(
        "the proxy refuses the user or the password", isTransient: false, hint: Self.proxyHint)
      : WireFailure("the proxy failed: \(lowered(message))")
  }

  private func timeout(_ seconds: Double) -> String {
    let policy = request.policy
    if ccurl_get_offset(easy, Int32(CURLINFO_PRETRANSFER_TIME_T.rawValue)) == 0 {
      return
        "timeout: no connection within \(WaitText.of(min(seconds, policy.connectTimeout.seconds)))"
    }
    return "timeout: no complete answer within \(WaitText.of(policy.totalTimeout.seconds))"
  }

  private func lowered(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}

extension TLSFiles {
  /// The names of the client's files.
  var shown: String { [certificate, key].compactMap(\.self).joined(separator: ", ") }
}
