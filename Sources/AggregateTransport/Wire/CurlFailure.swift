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
enum CurlFailure {
  /// The failure for `code`, which is not zero.
  static func of(
    _ code: Int32, easy: UnsafeMutableRawPointer, seconds: Double, policy: RequestPolicy
  ) -> WireFailure {
    switch CURLcode(rawValue: UInt32(code)) {
    case CURLE_COULDNT_RESOLVE_HOST: return WireFailure("the host name was not found")
    case CURLE_COULDNT_RESOLVE_PROXY: return WireFailure("the proxy's name was not found")
    case CURLE_COULDNT_CONNECT:
      let error = Int32(ccurl_get_long(easy, Int32(CURLINFO_OS_ERRNO.rawValue)))
      return WireFailure(error == ECONNREFUSED ? "connection refused" : "could not connect")
    case CURLE_OPERATION_TIMEDOUT:
      return WireFailure(timeout(easy, seconds: seconds, policy: policy))
    case CURLE_GOT_NOTHING: return WireFailure("the connection was closed without an answer")
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR: return WireFailure("the connection was reset")
    case CURLE_PARTIAL_FILE: return WireFailure("the body ends too early")
    case CURLE_PEER_FAILED_VERIFICATION:
      return WireFailure(
        certificate(ccurl_get_long(easy, Int32(CURLINFO_SSL_VERIFYRESULT.rawValue))),
        isTransient: false)
    case CURLE_SSL_CACERT_BADFILE:
      return WireFailure(
        "the certificates to trust could not be read (CURL_CA_BUNDLE, SSL_CERT_FILE)",
        isTransient: false)
    case CURLE_URL_MALFORMAT: return WireFailure("the address is malformed", isTransient: false)
    case CURLE_UNSUPPORTED_PROTOCOL:
      return WireFailure("libcurl lacks support for this", isTransient: false)
    default:
      let text = ccurl_easy_strerror(code).map { String(cString: $0) } ?? "error \(code)"
      return WireFailure(text.prefix(1).lowercased() + text.dropFirst())
    }
  }

  /// What OpenSSL found wrong with a certificate; 0 when only the name in it is another one.
  private static func certificate(_ result: Int) -> String {
    switch result {
    case 0, 62: "the server's certificate is for another host"
    case 9: "the server's certificate is not valid yet"
    case 10: "the server's certificate has expired"
    default: "the server's certificate is not trusted"
    }
  }

  private static func timeout(
    _ easy: UnsafeMutableRawPointer, seconds: Double, policy: RequestPolicy
  ) -> String {
    if ccurl_get_offset(easy, Int32(CURLINFO_PRETRANSFER_TIME_T.rawValue)) == 0 {
      return
        "timeout: no connection within \(WaitText.of(min(seconds, policy.connectTimeout.seconds)))"
    }
    return "timeout: no complete answer within \(WaitText.of(policy.totalTimeout.seconds))"
  }
}
