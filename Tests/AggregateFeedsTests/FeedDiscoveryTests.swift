import AggregateCore
import AggregateFeeds
import Testing

/// Which feeds a web page names.
struct FeedDiscoveryTests {
  private static let rss = "type='application/rss+xml'"

  @Test(arguments: [
    ("<link rel='alternate' \(rss) href='/f'>", ["http://a.example/f"]),
    ("<link rel=alternate type=application/rss+xml href=f>", ["http://a.example/x/f"]),
    (
      "<LINK REL=\"ALTERNATE\" TYPE=\"Application/Atom+XML; charset=utf-8\" HREF=\"f\"/>",
      ["http://a.example/x/f"]
    ),
    ("<link href='//b.example/f' \(rss) rel='home alternate'>", ["http://b.example/f"]),
    ("<link rel='feed' href='f'>", ["http://a.example/x/f"]),
    ("<link rel=alternate type=application/feed+json href=f.json>", ["http://a.example/x/f.json"]),
    (
      "<base href='http://c.example/d/'><link rel=alternate \(rss) href=f>",
      ["http://c.example/d/f"]
    ),
    ("<link rel=alternate \(rss) href='f?a=1&amp;b=2'>", ["http://a.example/x/f?a=1&b=2"]),
    (
      "<link rel=alternate \(rss) href=1><link rel=alternate \(rss) href=2><link rel=alternate \(rss) href=1>",
      ["http://a.example/x/1", "http://a.example/x/2"]
    ),
    // What may be something else comes behind, and what programs are offered is none.
    (
      "<link rel=alternate type=application/json href=a><link rel=alternate \(rss) href=b>",
      ["http://a.example/x/b", "http://a.example/x/a"]
    ),
    ("<link rel=alternate type=application/json href=/wp-json/wp/v2/pages/2>", []),
    (
      "<link rel=alternate type=application/json+oembed href=a><link rel=alternate hreflang=de href=b>",
      []
    ),
    // What only looks like a link.
    ("<!-- <link rel=alternate \(rss) href=f> -->", []),
    ("<script>document.write(\"<link rel=alternate \(rss) href=f>\")</script>", []),
    (
      "<script>if (a<b) x='</div>'</script><link rel=alternate \(rss) href=f>",
      ["http://a.example/x/f"]
    ),
    ("<link rel=stylesheet href=a.css><a href=feed.xml>feed</a>", []),
    ("<link rel=alternate \(rss)>", []),
    ("<link rel=alternate \(rss) href='javascript:void(0)'>", []),
    // Comments come behind, by title or address.
    (
      "<link rel=alternate \(rss) title='Comments Feed' href=1><link rel=alternate \(rss) href=/comments/feed/>"
        + "<link rel=alternate type=application/json href=3><link rel=alternate \(rss) href=2>",
      [
        "http://a.example/x/2", "http://a.example/x/1", "http://a.example/comments/feed/",
        "http://a.example/x/3",
      ]
    ),
    (
      "<link rel=alternate \(rss) title='Commentary' href=1>", ["http://a.example/x/1"]
    ),
    ("<link rel=alternate \(rss) href='feed://b.example/f'>", ["http://b.example/f"]),
    ("<link rel=alternate \(rss) href='feed:https://b.example/f'>", ["https://b.example/f"]),
  ])
  func theFeedsOfThePageAreFound(_ inside: String, _ feeds: [String]) {
    let page = "<!doctype html><html><head>\(inside)</head><body></body></html>"
    #expect(
      FeedDiscovery.feeds(
        in: ByteBuffer(page), contentType: nil, url: WebURL("http://a.example/x/y"))
        == feeds)
    #expect(FeedDiscovery.isPage(ByteBuffer(page), contentType: nil))
  }

  @Test(arguments: [
    ("</f>; rel=\"alternate\"; type=\"application/rss+xml\"", ["http://a.example/f"]),
    (
      "<s.css>; rel=preload, <f>; type=application/atom+xml; title=\"a, b\"; rel=alternate, </c>; "
        + "rel=alternate; title=\"Comments\"; type=\"application/rss+xml\"",
      ["http://a.example/x/f", "http://a.example/c"]
    ),
    ("<f>; rel=alternate; hreflang=de", []), ("<f", []), ("", []), (";;,<>;rel", []),
    ("<feed:http://b.example/f>; rel=\"alternate feed\"", ["http://b.example/f"]),
  ])
  func theFeedsOfTheHeaderAreFound(_ header: String, _ feeds: [String]) {
    #expect(
      FeedDiscovery.feeds(inHeader: header, url: WebURL("http://a.example/x/y")) == feeds)
  }

  @Test(arguments: [
    ("<title>x</title><link rel=alternate href=f><p>hello", "text/html"),
    ("<title>x</title><p>hello", nil), ("<div>x</div>", "text/html; charset=utf-8"),
    ("<body><p>hello</body>", nil), ("<section>x</section>", "application/xhtml+xml"),
    ("<!-- x --><meta charset=utf-8>", nil),
  ])
  func pagesNeedNoHTMLElement(_ text: String, _ contentType: String?) {
    #expect(FeedDiscovery.isPage(ByteBuffer(text), contentType: contentType))
    let error = #expect(throws: AggregateError.self) {
      try FeedParser.parse(ByteBuffer(text), contentType: contentType)
    }
    #expect(error?.message.contains("a web page (HTML)") == true)
  }

  @Test(arguments: [
    ("<rss><channel/></rss>", "text/html"), ("<?xml version='1.0'?><feed/>", "text/html"),
    ("<br /><b>Warning</b>: x<br />\n<?xml version='1.0'?><rss/>", "text/html"),
    ("<section>x</section>", "text/xml"), ("Sorry, no feed", "text/html"),
    ("<html><body><feed/></body></html>", "text/html"),
  ])
  func whatIsCalledHTMLIsNotAlwaysAPage(_ text: String, _ contentType: String?) {
    #expect(!FeedDiscovery.isPage(ByteBuffer(text), contentType: contentType))
  }

  @Test(arguments: [
    "<rss><channel><description>&lt;html></description></channel></rss>",
    "<?xml version='1.0'?><feed><link rel='alternate' href='x'/></feed>", "{\"a\":\"<html>\"}", "",
    "<!-- <html> --><rss/>",
  ])
  func feedsAreNoPages(_ text: String) {
    #expect(!FeedDiscovery.isPage(ByteBuffer(text), contentType: nil))
  }
}
