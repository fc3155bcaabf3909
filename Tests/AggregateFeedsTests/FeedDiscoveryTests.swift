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
    "<rss><channel><description>&lt;html></description></channel></rss>",
    "<?xml version='1.0'?><feed><link rel='alternate' href='x'/></feed>", "{\"a\":\"<html>\"}", "",
    "<!-- <html> --><rss/>",
  ])
  func feedsAreNoPages(_ text: String) {
    #expect(!FeedDiscovery.isPage(ByteBuffer(text), contentType: nil))
  }
}
