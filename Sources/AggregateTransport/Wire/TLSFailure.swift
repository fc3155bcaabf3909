/// What is wrong with a connection over TLS, and what to do about it.
///
/// None of these goes away by trying again.
enum TLSFailure {
  private static let trust =
    "to trust its issuer, name a file with the issuer's certificate: “tls: { ca: FILE }” of the "
    + "source, or SSL_CERT_FILE"

  /// What OpenSSL found wrong with the certificate of a host, by its number and in libcurl's words.
  static func ofCertificate(_ result: Int, _ message: String, host: String) -> WireFailure {
    let (problem, hint): (String, String) =
      switch number(result, message) {
      case 0, 62, 64: ("is for another host", "is “\(host)” right? the certificate names others")
      case 9: ("is not valid yet", "is the clock of this machine right?")
      case 10:
        ("has expired", "the server's operator has to renew it, if this machine's clock is right")
      case 18: ("is not trusted: it is signed by itself", trust)
      case 19, 20, 21: ("is not trusted: its issuer is not known", trust)
      case 23: ("was revoked", "the server's operator has to replace it")
      case 66, 67, 68: ("is not trusted: its key or signature is too weak", trust)
      default: ("is not trusted", trust)
      }
    return WireFailure("the server's certificate \(problem)", isTransient: false, hint: hint)
  }

  /// The number that OpenSSL has for what is wrong; GnuTLS has bits.
  private static func number(_ result: Int, _ message: String) -> Int {
    // libcurl compares the names itself.
    if message.contains("subject name") || message.contains("subjectAltName") { return 0 }
    guard message.contains("certificate verification failed") else { return result }
    let bits = [(1024, 10), (512, 9), (32, 23), (64, 20), (256, 68)]
    return bits.first { result & $0.0 != 0 }?.1 ?? 1
  }

  /// What the words of OpenSSL or GnuTLS say about a handshake; nil when they tell of a connection that broke.
  static func ofHandshake(_ message: String) -> WireFailure? {
    let text = message.lowercased()
    guard text.contains("ssl") || text.contains("tls") else { return nil }
    func has(_ words: String...) -> Bool { words.contains { text.contains($0) } }
    let (problem, hint): (String, String?)
    if has("protocol version", "unsupported protocol", "no protocols available") {
      (problem, hint) = (
        "the server speaks only versions of TLS that are no longer safe",
        "TLS 1.2 is the oldest that is accepted"
      )
    } else if has(
      "wrong version number", "packet length too long", "http request", "unexpected tls packet")
    {
      (problem, hint) = (
        "the server does not speak TLS on this port", "does the address begin with http://?"
      )
    } else if has("certificate required") {
      (problem, hint) = ("the server wants a client's certificate", Self.client)
    } else if has("unknown ca", "bad certificate", "certificate expired", "certificate revoked") {
      (problem, hint) = (
        "the server refuses the client's certificate",
        "it is signed by an authority that the server does not know, or no longer valid"
      )
    } else if has("handshake failure", "fatal alert") {
      (problem, hint) = (
        "the server refuses the handshake: it wants a client's certificate, or no cipher in common",
        Self.client
      )
    } else if has("unrecognized name") {
      (problem, hint) = ("the server knows no host of this name", nil)
    } else if has("key too small", "dh key", "md too weak", "no cipher", "no shared cipher") {
      (problem, hint) = ("the server's ciphers or keys are too weak", nil)
    } else {
      return nil
    }
    return WireFailure(problem, isTransient: false, hint: hint)
  }

  private static let client = "“tls: { certificate: FILE, key: FILE }” of the source shows one"
}
