import AggregateCore
import AggregateFeeds
import Testing

struct FeedParserTests {
  func feed(_ text: String, url: String? = nil) throws -> Feed {
    try FeedParser.parse(ByteBuffer(text), url: url.flatMap { WebURL($0) })
  }

  func item(_ inside: String) throws -> FeedItem {
    try #require(
      try feed("<rss version='2.0'><channel><title>F</title><item>\(inside)</item></channel></rss>")
        .items.first)
  }

  @Test func rss2() throws {
    let item = try item(
      """
      <title>First &amp; best</title><link> http://a.example/1 </link><guid>g1</guid>
      <author>me@a.example (Ann Lee)</author><category>x</category><category>x</category>
      <pubDate>Mon, 01 Jan 2024 10:00:00 GMT</pubDate><description><![CDATA[<p>One</p>]]></description>
      <content:encoded><![CDATA[<p>All <img src="http://a.example/p.png"></p>]]></content:encoded>
      """)
    #expect(item.title == "First & best")
    #expect(item.url == "http://a.example/1")
    #expect(item.id == "g1")
    #expect(item.author == "Ann Lee")
    #expect(item.categories == ["x"])
    #expect(item.publishedAt?.iso8601 == "2024-01-01T10:00:00Z")
    #expect(item.description == "<p>One</p>")
    #expect(item.content == #"<p>All <img src="http://a.example/p.png"></p>"#)
    #expect(item.imageURL == "http://a.example/p.png")
  }

  @Test func rss1() throws {
    let feed = try feed(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="http://a.example/"><title>F</title></channel>
      <item rdf:about="http://a.example/1"><title>One</title><dc:creator>Ann</dc:creator>
      <dc:creator>Bob</dc:creator><dc:date>2024-01-01</dc:date></item></rdf:RDF>
      """)
    #expect(feed.title == "F")
    #expect(feed.items[0].url == "http://a.example/1")
    #expect(feed.items[0].author == "Ann, Bob")
    #expect(feed.items[0].publishedAt?.iso8601 == "2024-01-01T00:00:00Z")
  }

  @Test func atom() throws {
    let feed = try feed(
      """
      <a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:base="http://a.example/x/"><a:title>F</a:title>
      <a:author><a:name>Ed</a:name></a:author>
      <a:entry><a:title type="html">&lt;b&gt;One&lt;/b&gt; &amp;amp; more</a:title>
      <a:link rel="self" href="self"/><a:link href="../1"/><a:link rel="enclosure" type="image/png" href="p.png"/>
      <a:id>urn:1</a:id><a:updated>2024-01-02T00:00:00Z</a:updated>
      <a:published>2024-01-01T00:00:00+01:00</a:published>
      <a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="q">q</a><br/></div></a:content>
      </a:entry></a:feed>
      """)
    let entry = try #require(feed.items.first)
    #expect(entry.title == "One & more")
    #expect(entry.url == "http://a.example/1")
    #expect(entry.author == "Ed")
    #expect(entry.publishedAt?.iso8601 == "2023-12-31T23:00:00Z")
    #expect(entry.content == #"<a href="http://a.example/x/q">q</a><br />"#)
    #expect(entry.imageURL == "http://a.example/x/p.png")
  }

  @Test func atomWithoutPublishedHasUpdated() throws {
    let feed = try feed(
      "<feed xmlns='http://www.w3.org/2005/Atom'><entry><updated>2024-01-02T00:00:00Z</updated></entry></feed>"
    )
    #expect(feed.items[0].publishedAt?.iso8601 == "2024-01-02T00:00:00Z")
  }

  @Test func jsonFeed() throws {
    let feed = try feed(
      #"""
      {"version": "https://jsonfeed.org/version/1.1", "title": "F", "authors": [{"name": "Ed"}], "items": [
        {"id": 7, "url": "/1", "title": "One &amp; more", "content_html": "<img src='p.png'>",
         "date_published": "2024-01-01T00:00:00-01:00", "tags": ["a", 1, "a"]},
        {"id": "2", "external_url": "http://b.example/", "content_text": "t", "author": {"name": "Ann"},
         "date_published": 5, "image": "i.png"}, 3]}
      """#, url: "http://a.example/feed.json")
    #expect(feed.items.count == 2)
    #expect(feed.items[0].id == "7")
    #expect(feed.items[0].url == "http://a.example/1")
    #expect(feed.items[0].title == "One & more")
    #expect(feed.items[0].author == "Ed")
    #expect(feed.items[0].publishedAt?.iso8601 == "2024-01-01T01:00:00Z")
    #expect(feed.items[0].imageURL == "http://a.example/p.png")
    #expect(feed.items[0].categories == ["a"])
    #expect(feed.items[1].author == "Ann")
    #expect(feed.items[1].url == "http://b.example/")
    #expect(feed.items[1].imageURL == "http://a.example/i.png")
  }

  @Test(arguments: [
    "{\"items\":[{\"id\":1}]}", "{\"version\":\"2\",\"items\":[]}", "[{\"title\":\"a\"}]", "{}",
    "{\"version\":1,\"items\":[{\"title\":\"a\"}]}",
  ])
  func otherJSONIsNoFeed(_ text: String) {
    #expect {
      _ = try feed(text)
    } throws: { error in
      (error as? AggregateError)?.code == .badData
        && (error as? AggregateError)?.hint?.contains("https://jsonfeed.org/version/") == true
    }
  }

  @Test(arguments: [
    ("Fish & Chips &amp; more &lt;3", "Fish & Chips & more <3"), ("a &nbsp;b", "a \u{A0}b"),
    ("AT&amp;amp;T", "AT&T"), ("<![CDATA[1 < 2 & <b>3</b>]]>", "1 < 2 & 3"),
    ("x &copy 2", "x &copy 2"), ("?a=1&copy=2", "?a=1&copy=2"), ("caf&#233;&#x21;", "café!"),
    ("&#146;", "\u{2019}"), ("&#226;&#128;&#166;", "…"),
    ("&acirc;&#128;&brvbar;", "…"), ("&acirc;&eacute;", "âé"), ("one\n two", "one two"),
    ("a < b", "a < b"), ("a\u{1}b", "ab"),
    ("&bogus;", "&bogus;"), ("<b>bold</b> title", "bold title"),
  ])
  func titlesArePlainText(written: String, read: String) throws {
    #expect(try item("<title>\(written)</title>").title == read)
  }

  @Test func linksPreferThePage() throws {
    #expect(try item("<guid>http://a.example/1</guid>").url == "http://a.example/1")
    #expect(try item("<guid isPermaLink='false'>http://a.example/1</guid>").url == nil)
    #expect(
      try item("<guid>http://a.example/1</guid><link>http://a.example/2</link>").url
        == "http://a.example/2")
  }

  @Test(arguments: ["\n \t", "\u{FEFF}", "junk ", "<!-- x -->\n"])
  func whatStandsBeforeTheDeclarationIsPassedOver(before: String) throws {
    let feed = try feed(
      before + "<?xml version=\"1.0\"?><rss><channel><item><title>x</title></item></channel></rss>")
    #expect(feed.items.count == 1)
  }

  @Test(arguments: [
    "<rss><channel><item><title>a</title></item><item><title>b</item></channel></rss>",
    "<rss><channel><item><title>a</title></item><item><title>b</title>",
    "<rss><channel><item><title>a</title><item><title>b</title></item></channel></rss>",
    "<rss><channel><item><title>a</title></wrong></item><item><title>b</title></item></channel></rss>",
    "<rss><channel><item><title>a</title><x:y>1</x:y></item><item><title>b</title></item></rss>",
    "<rss><channel><item><title>a</title><p align=left></p></item><item><title>b</title></item></rss>",
    "<rss><channel><item><title>a</title></item><item><title>b</title><![CDATA[ ...",
  ])
  func malformedFeedsStillGiveTheirItems(text: String) throws {
    #expect(try feed(text).items.map(\.title) == ["a", "b"])
  }

  @Test(arguments: [
    ("", "empty"), ("  \n", "empty"), ("<html><body/></html>", "web page"),
    ("<!DOCTYPE html><meta charset=utf-8><p>", "web page"), ("hello", "neither XML nor JSON"),
    ("<note/>", "<note>"), ("[1]", "JSON array"), ("{\"error\": 1}", "error"),
  ])
  func whatIsNoFeedIsNamed(text: String, word: String) {
    #expect {
      try feed(text)
    } throws: { error in
      let error = error as? AggregateError
      return error?.code == .badData && "\(error?.message ?? "")".contains(word)
    }
  }

  @Test func aPageNamesItsFeeds() {
    let page = ByteBuffer(
      """
      <!doctype html><head><base href="/blog/"><link rel="stylesheet" href="a.css">
      <link rel=alternate type=application/rss+xml href=feed.xml>
      <LINK REL="Alternate" TYPE="application/atom+xml" HREF="http://b.example/atom?a=1&amp;b=2"></head>
      """)
    #expect(
      FeedDiscovery.feeds(in: page, contentType: nil, url: WebURL("http://a.example/x/y")) == [
        "http://a.example/blog/feed.xml", "http://b.example/atom?a=1&b=2",
      ])
  }

  @Test func rowsHaveTheColumnsOfNews() throws {
    let batch = try FeedRows.batch(
      from: try feed("<rss><channel><title>F</title><item><title>x</title></item></channel></rss>"))
    #expect(batch.rowCount == 1)
    let row = Dictionary(uniqueKeysWithValues: zip(batch.schema.names, batch.row(0)))
    #expect(row["title"] == .text("x"))
    #expect(row["publisher"] == .text("F"))
    #expect(row["service"] == .text("feeds"))
    #expect(row["url"] == .null)
    #expect(row["carried_by"] == .json(#"["F"]"#))
  }
}
