import Testing

@testable import AggregateTransport

/// The words and numbers of libraries that the tests over sockets do not meet.
@Suite struct TLSFailureTests {
  @Test(arguments: [
    (18, "SSL certificate problem: self-signed certificate", "it is signed by itself"),
    (19, "SSL certificate problem: self-signed certificate in chain", "its issuer is not known"),
    (
      66, "SSL certificate problem: EE certificate key too weak", "its key or signature is too weak"
    ),
    (23, "SSL certificate problem: certificate revoked", "was revoked"),
    (1, "SSL certificate problem", "is not trusted"),
    // Of GnuTLS, whose 66 is another one.
    (66, "server certificate verification failed. CAfile: a", "its issuer is not known"),
    (1026, "server certificate verification failed. CAfile: a", "has expired"),
    (514, "server certificate verification failed. CAfile: a", "is not valid yet"),
    (34, "server certificate verification failed. CAfile: a", "was revoked"),
    (66, "SSL: certificate subject name (a) does not match target host name 'b'", "another host"),
    (
      1, "SSL: no alternative certificate subject name matches target host name 'b'", "another host"
    ),
  ])
  func certificateIsExplained(_ result: Int, _ message: String, _ words: String) {
    let failure = TLSFailure.ofCertificate(result, message, host: "b")
    #expect(failure.message.contains(words))
    #expect(!failure.isTransient)
    #expect(failure.hint != nil)
  }

  @Test(arguments: [
    ("error:0A00042E:SSL routines::tlsv1 alert protocol version", "no longer safe"),
    ("error:0A000102:SSL routines::unsupported protocol", "no longer safe"),
    ("error:0A00010B:SSL routines::wrong version number", "does not speak TLS"),
    ("error:0A00045C:SSL routines::tlsv13 alert certificate required", "wants a client's"),
    ("error:0A000418:SSL routines::tlsv1 alert unknown ca", "refuses the client's"),
    ("error:0A000410:SSL routines::sslv3 alert handshake failure", "refuses the handshake"),
    ("error:0A000458:SSL routines::tlsv1 unrecognized name", "no host of this name"),
    ("error:0A00018A:SSL routines::dh key too small", "too weak"),
    ("gnutls_handshake() failed: An unexpected TLS packet was received.", "does not speak TLS"),
    ("gnutls_handshake() failed: A TLS fatal alert has been received.", "refuses the handshake"),
  ])
  func handshakeIsExplained(_ message: String, _ words: String) throws {
    let failure = try #require(TLSFailure.ofHandshake(message))
    #expect(failure.message.contains(words))
    #expect(!failure.isTransient)
  }

  @Test(arguments: [
    "", "Recv failure: Connection reset by peer", "OpenSSL SSL_connect: SSL_ERROR_SYSCALL",
    "OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading",
    "gnutls_handshake() failed: The TLS connection was non-properly terminated.",
  ])
  func brokenConnectionMayBeTriedAgain(_ message: String) {
    #expect(TLSFailure.ofHandshake(message) == nil)
  }
}
