import AggregateCore
import Testing

@Suite struct WebURLTests {
  private func url(_ text: String) throws -> WebURL { try #require(WebURL(text)) }

  /// RFC 3986, section 5.4; references with another scheme lead nowhere here.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
    ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"),
    ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("https://h/x?y", "https://h/x?y"), ("a:b", nil), ("mailto:x", nil),
  ])
  func referencesResolveAsTheStandardSays(_ reference: String, _ expected: String?) throws {
    #expect(try url("http://a/b/c/d;p?q").resolving(reference)?.description == expected)
  }

  @Test func referencesResolveAgainstAnAddressWithoutAPath() throws {
    #expect(try url("http://a").resolving("g")?.description == "http://a/g")
    #expect(try url("http://a?x=1").resolving("?y=2")?.description == "http://a?y=2")
  }

  @Test(arguments: [
    ("HTTP://Host/A", "http://Host/A"), ("http://u:p@h:81/", "http://h:81/"),
    ("http://u@p@h/x", "http://h/x"), ("http://h/a b", "http://h/a%20b"),
    ("http://h/é?q=ü", "http://h/%C3%A9?q=%C3%BC"), ("http://h?a=1/2#f", "http://h?a=1/2"),
    ("http://[::1]:8080/x", "http://[::1]:8080/x"), ("http://h/a/../b/./c", "http://h/b/c"),
    ("http://h/{x}|", "http://h/%7Bx%7D%7C"), ("http://h/%41", "http://h/%41"),
  ])
  func addressesAreParsed(_ text: String, _ expected: String) {
    #expect(WebURL(text)?.description == expected)
  }

  @Test(arguments: [
    "", "h/x", "ftp://h/", "http:/h", "http://", "http://:80/", "http://u@/", "//h/x",
  ])
  func whatIsNoAddressIsNil(_ text: String) { #expect(WebURL(text) == nil) }

  @Test(arguments: [
    ("http://Host/x", "http://host:80", "Host"), ("https://h", "https://h:443", "h"),
    ("http://h:/x", "http://h:80", "h"), ("http://h:8080", "http://h:8080", "h"),
    ("https://h:443/", "https://h:443", "h"), ("http://[::1]/", "http://[::1]:80", "[::1]"),
    ("http://[::1]:81/", "http://[::1]:81", "[::1]"), ("http://h:080/", "http://h:80", "h"),
  ])
  func originHasTheHostAndAPort(_ text: String, _ origin: String, _ host: String) throws {
    #expect(try url(text).origin == origin)
    #expect(try url(text).host == host)
  }

  @Test func queryItemsAreAppendedAndSet() throws {
    var url = try url("http://h/?a=1&b=2&a=3&c")
    url.set(query: "a", "x y&z")
    #expect(url.query == "a=x%20y%26z&b=2&c")
    url.set(query: "c", "")
    url.set(query: "né", "+")
    #expect(url.query == "a=x%20y%26z&b=2&c=&n%C3%A9=%2B")
    url.append(query: "b", "4")
    #expect(
      url.queryItems.map { "\($0.name)=\($0.value)" } == ["a=x y&z", "b=2", "c=", "né=+", "b=4"])
    var plain = try self.url("http://h/")
    plain.set(query: "q", "1")
    #expect(plain.description == "http://h/?q=1")
  }

  @Test func encodingReadsBack() {
    for text in ["", "a b+c%d/é😀&=?#", "~-._", "\0\n"] {
      #expect(WebURL.decoded(WebURL.encoded(text)) == text)
    }
    #expect(WebURL.encoded("a/b c", keeping: "/") == "a/b%20c")
    #expect(WebURL.decoded("%zz%4") == "%zz%4")
    #expect(WebURL.decoded("a+b") == "a+b")
    #expect(WebURL.decoded("a+b", plusIsSpace: true) == "a b")
  }
}
