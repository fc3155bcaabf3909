import Testing

@testable import AggregateTransport

@Suite struct ProxyExceptionsTests {
  @Test(arguments: [
    ("a.test:80", "http://a.test/", true), ("a.test:443", "https://A.test/x", true),
    ("a.test:80", "https://a.test/", false), ("a.test:8080", "http://a.test:8080/", true),
    ("a.test:8080", "http://a.test:18080/", false), ("a.test:8080", "http://a.test/", false),
    (".a.test:80", "http://b.a.test/", true), ("a.test:80", "http://b.a.test/", true),
    ("*.a.test:80", "http://b.a.test/", true), ("a.test:80", "http://aa.test/", false),
    ("x, b.test:80  A.TEST:80", "http://a.test/", true), ("[::1]:81", "http://[::1]:81/", true),
    // Without a port they are libcurl's.
    ("a.test", "http://a.test/", false), ("::1", "http://[::1]:1/", false),
    ("*", "http://a/", false),
    (":80", "http://a.test/", false), ("a.test:", "http://a.test/", false),
    ("a.test:http", "http://a.test/", false), ("", "http://a.test/", false),
  ])
  func entriesWithAPortAreKept(_ text: String, _ url: String, _ isException: Bool) throws {
    #expect(ProxyExceptions(text).contains(try parsed(url)) == isException)
  }

  @Test func noVariableIsNoException() throws {
    #expect(!ProxyExceptions(nil).contains(try parsed("http://a.test/")))
  }
}
