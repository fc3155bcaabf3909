import AggregateCore
import AggregateFeeds
import Testing

/// The same item in every dialect of XML feeds.
struct FeedDialectTests {
  /// A feed with one item: title “One”, page http://a.example/1, the text “Words”, by Ann, on
  /// 2 January 2004 at 10:00 UTC.
  struct Dialect: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    var hasAuthor = true
    var hasDate = true

    init(_ name: String, _ text: String, hasAuthor: Bool = true, hasDate: Bool = true) {
      (testDescription, self.text, self.hasAuthor, self.hasDate) = (name, text, hasAuthor, hasDate)
    }
  }

  private static let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
  private static let dc = "xmlns:dc='http://purl.org/dc/elements/1.1/'"
  private static let item =
    "<title>One</title><link>http://a.example/1</link><description>Words</description>"
  private static let full =
    "\(item)<author>ann@a.example (Ann)</author><pubDate>Fri, 02 Jan 2004 10:00:00 GMT</pubDate>"

  private static func rss(_ version: String) -> String {
    "<rss version='\(version)'><channel><title>F</title><item>\(full)</item></channel></rss>"
  }

  static let dialects: [Dialect] = [
    Dialect(
      "RSS 0.90",
      "<rdf:RDF \(rdf) xmlns='http://my.netscape.com/rdf/simple/0.9/'><channel><title>F</title></channel><item>\(item)</item></rdf:RDF>",
      hasAuthor: false, hasDate: false),
    Dialect(
      "RSS 0.91 of Netscape",
      "<!DOCTYPE rss PUBLIC \"-//Netscape Communications//DTD RSS 0.91//EN\" \"http://my.netscape.com/publish/formats/rss-0.91.dtd\">\(rss("0.91"))"
    ),
    Dialect("RSS 0.91", rss("0.91")), Dialect("RSS 0.92", rss("0.92")),
    Dialect("RSS 0.93", rss("0.93")), Dialect("RSS 0.94", rss("0.94")),
    Dialect("RSS 2.0", rss("2.0")), Dialect("RSS without a version", rss("")),
    Dialect(
      "RSS 2.0 in a namespace",
      "<rss xmlns='http://backend.userland.com/rss2' version='2.0'><channel><title>F</title><item>\(full)</item></channel></rss>"
    ),
    Dialect(
      "RSS in capitals",
      "<RSS><CHANNEL><TITLE>F</TITLE><ITEM><TITLE>One</TITLE><LINK>http://a.example/1</LINK><DESCRIPTION>Words</DESCRIPTION><AUTHOR>Ann</AUTHOR><PUBDATE>Fri, 02 Jan 2004 10:00:00 GMT</PUBDATE></ITEM></CHANNEL></RSS>"
    ),
    Dialect(
      "RSS 1.0",
      "<rdf:RDF \(rdf) \(dc) xmlns='http://purl.org/rss/1.0/'><channel rdf:about='http://a.example/'><title>F</title><items><rdf:Seq><rdf:li rdf:resource='http://a.example/1'/></rdf:Seq></items></channel><item rdf:about='http://a.example/1'>\(item)<dc:creator>Ann</dc:creator><dc:date>2004-01-02T10:00Z</dc:date></item></rdf:RDF>"
    ),
    Dialect(
      "RSS 1.0 with content",
      "<rdf:RDF \(rdf) \(dc) xmlns='http://purl.org/rss/1.0/' xmlns:content='http://purl.org/rss/1.0/modules/content/'><channel><title>F</title></channel><item rdf:about='http://a.example/1'><title>One</title><content:encoded>Words</content:encoded><dc:creator>Ann</dc:creator><dc:date>2004-01-02T11:00+01:00</dc:date></item></rdf:RDF>"
    ),
    Dialect(
      "RDF with a prefix",
      "<rdf:RDF \(rdf) \(dc) xmlns:r='http://purl.org/rss/1.0/'><r:channel><r:title>F</r:title></r:channel><r:item><r:title>One</r:title><r:link>http://a.example/1</r:link><r:description>Words</r:description><dc:creator>Ann</dc:creator><dc:date>2004-01-02T10:00:00Z</dc:date></r:item></rdf:RDF>"
    ),
    Dialect(
      "Atom 0.3",
      "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><title>F</title><tagline>T</tagline><entry><title mode='escaped' type='text/html'>&lt;b&gt;One&lt;/b&gt;</title><link rel='alternate' type='text/html' href='http://a.example/1'/><author><name>Ann</name></author><id>tag:a,2004:1</id><issued>2004-01-02T10:00:00Z</issued><modified>2005-01-01T00:00:00Z</modified><content type='text/html' mode='escaped'>Words</content></entry></feed>"
    ),
    Dialect(
      "Atom 0.3 in Base64",
      "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><title>F</title><entry><title>One</title><link href='http://a.example/1'/><author><name>Ann</name></author><issued>2004-01-02T10:00:00Z</issued><content type='text/plain' mode='base64'>V29yZHM=</content></entry></feed>"
    ),
    Dialect(
      "Atom 1.0",
      "<feed xmlns='http://www.w3.org/2005/Atom'><title>F</title><entry><title>One</title><link href='http://a.example/1'/><author><name>Ann</name></author><id>urn:1</id><published>2004-01-02T10:00:00Z</published><updated>2005-01-01T00:00:00Z</updated><summary>Words</summary></entry></feed>"
    ),
    Dialect(
      "Atom 1.0 with a base",
      "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://a.example/x/'><title>F</title><entry xml:base='y/'><title type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><b>One</b></div></title><link href='../../1'/><author><name>Ann</name></author><updated>2004-01-02T10:00:00Z</updated><content type='html'>Words</content></entry></feed>"
    ),
    Dialect(
      "an Atom entry alone",
      "<entry xmlns='http://www.w3.org/2005/Atom'><title>One</title><link href='http://a.example/1'/><author><name>Ann</name></author><updated>2004-01-02T10:00:00Z</updated><summary>Words</summary></entry>"
    ),
    Dialect(
      "RSS with Atom's and Dublin Core's elements",
      "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom' \(dc)><channel><title>F</title><atom:link rel='self' href='http://a.example/feed'/><item>\(item)<dc:creator>Ann</dc:creator><atom:updated>2004-01-02T10:00:00Z</atom:updated></item></channel></rss>"
    ),
    Dialect(
      "CDF",
      "<CHANNEL HREF='http://a.example/'><TITLE>F</TITLE><ITEM HREF='http://a.example/1' LASTMOD='2004-01-02T10:00Z'><TITLE>One</TITLE><ABSTRACT>Words</ABSTRACT></ITEM></CHANNEL>",
      hasAuthor: false),
  ]

  @Test(arguments: dialects)
  func theItemIsTheSame(_ dialect: Dialect) throws {
    let feed = try FeedParser.parse(ByteBuffer(dialect.text))
    try #require(feed.items.count == 1)
    let item = feed.items[0]
    if !dialect.testDescription.contains("alone") { #expect(feed.title == "F") }
    #expect(item.title == "One")
    #expect(item.url == "http://a.example/1")
    #expect(item.description ?? item.content == "Words")
    #expect(item.author == (dialect.hasAuthor ? "Ann" : nil))
    #expect(item.publishedAt?.iso8601 == (dialect.hasDate ? "2004-01-02T10:00:00Z" : nil))
  }

  @Test(arguments: [
    ("http://b.example/x/y", "", "", "z", "http://b.example/x/z"),
    ("http://b.example/x/y", "http://a.example/1/", "", "z", "http://a.example/1/z"),
    ("http://b.example/x/y", "http://a.example/1/", "2/", "z", "http://a.example/1/2/z"),
    ("http://b.example/x/y", "http://a.example/1/", "/3/", "z", "http://a.example/3/z"),
    ("http://b.example/x/y", "http://a.example/1/", "//c.example/", "z", "http://c.example/z"),
    ("http://b.example/x/y", "one/", "two/", "../z", "http://b.example/x/one/z"),
    ("http://b.example/x/y", "", "", "?q=1", "http://b.example/x/y?q=1"),
    ("http://b.example/x/y", "", "", "//d.example/z", "http://d.example/z"),
    ("http://b.example/x/y", "http://a.example/", "", "https://e.example/z", "https://e.example/z"),
    ("http://b.example/x/y", "", "", "../../../z", "http://b.example/z"),
    ("", "http://a.example/1/", "2/", "z", "http://a.example/1/2/z"),
    ("", "", "", "z", "z"),
    ("http://b.example/x/y", "not an address", "", "z", "http://b.example/x/z"),
  ])
  func addressesAreResolvedAgainstTheInnermostBase(
    _ document: String, _ outer: String, _ inner: String, _ written: String, _ read: String
  ) throws {
    func base(_ text: String) -> String { text.isEmpty ? "" : " xml:base='\(text)'" }
    let text =
      "<feed xmlns='http://www.w3.org/2005/Atom'\(base(outer))><entry\(base(inner))><link href='\(written)'/>"
      + "<content type='html'>&lt;a href='\(written)'>&lt;img src=\(written)></content></entry></feed>"
    let feed = try FeedParser.parse(ByteBuffer(text), url: WebURL(document))
    #expect(feed.items.first?.url == read)
    #expect(feed.items.first?.content == "<a href='\(read)'><img src=\(read)>")
  }

  @Test(arguments: [
    "<item href=''><title>t</title></item>", "<item><title>t</title><content src=' '/></item>",
    "<item><title>t</title><feedburner:origLink/><link/></item>",
    "<item><title>t</title><guid/><enclosure url=''/><author/><description/></item>",
  ])
  func whatIsEmptyIsNothing(_ item: String) throws {
    let items = try FeedParser.parse(ByteBuffer("<rss><channel>\(item)</channel></rss>")).items
    try #require(items.count == 1)
    var bare = FeedItem()
    bare.title = "t"
    #expect(items[0] == bare)
  }

  @Test(arguments: [
    ("http://www.w3.org/2005/Atom", "xhtml", "a <b>b</b>"),
    ("http://purl.org/atom/ns#", "application/xhtml+xml", "<div>a <b>b</b></div>"),
  ])
  func theDivAroundXHTMLIsNoContentInAtom1(_ namespace: String, _ type: String, _ read: String)
    throws
  {
    let text =
      "<feed xmlns='\(namespace)'><entry><title type='\(type)'><div xmlns='http://www.w3.org/1999/xhtml'>t</div></title><content type='\(type)'>\n <div xmlns='http://www.w3.org/1999/xhtml'>a <b>b</b></div> </content></entry></feed>"
    let item = try #require(try FeedParser.parse(ByteBuffer(text)).items.first)
    #expect(item.content == read)
    #expect(item.title == "t")
  }

  @Test func entriesOfAnAggregatorHaveTheAuthorsOfTheirSource() throws {
    func entry(_ inside: String) -> String {
      "<entry><title>t</title>\(inside)<source><title>S</title><author><name>Sue</name></author></source></entry>"
    }
    let text =
      "<feed xmlns='http://www.w3.org/2005/Atom'><title>F</title><author><name>Ed</name></author>"
      + entry("") + entry("<author><name>Ann</name></author>")
      + "<entry><title>u</title></entry></feed>"
    let items = try FeedParser.parse(ByteBuffer(text)).items
    #expect(items.map(\.author) == ["Sue", "Ann", "Ed"])
    #expect(items.map(\.title) == ["t", "t", "u"])
  }

  @Test func whatARelativeAddressMeansInRSSIsThePageOrTheFeed() throws {
    let text =
      "<rss><channel><link>http://a.example/blog/</link><item><link>1</link></item></channel></rss>"
    #expect(
      try FeedParser.parse(ByteBuffer(text)).items.first?.url == "http://a.example/blog/1")
    #expect(
      try FeedParser.parse(ByteBuffer(text), url: WebURL("http://f.example/feeds/rss")).items.first?
        .url == "http://f.example/feeds/1")
  }

  @Test(
    arguments: [
      ("<![CDATA[<p>a &amp; b</p>]]>", "<p>a &amp; b</p>"),
      ("&lt;p&gt;a &amp;amp; b&lt;/p&gt;", "<p>a &amp; b</p>"),
      ("<![CDATA[&lt;p&gt;a&lt;/p&gt;]]>", "&lt;p&gt;a&lt;/p&gt;"),
      ("&amp;lt;p&amp;gt;", "&lt;p&gt;"), ("a &amp;#38; b", "a &#38; b"),
      ("<![CDATA[one]]><![CDATA[ two]]>", "one two"), ("<![CDATA[a]]&gt;b]]>", "a]]&gt;b"),
      ("don&amp;#146;t &amp;#X61;", "don&#x2019;t &#x61;"),
      ("&#60;b&#62;x&#60;/b&#62;", "<b>x</b>"),
      ("<p xmlns='http://www.w3.org/1999/xhtml'>a <b>c</b></p>", "<p>a <b>c</b></p>"),
      ("", nil), ("  \n ", nil), ("<![CDATA[]]>", nil),
    ] as [(String, String?)])
  func descriptionsAreHTMLOnceUnescaped(_ written: String, _ read: String?) throws {
    let text = "<rss><channel><item><description>\(written)</description></item></channel></rss>"
    #expect(try FeedParser.parse(ByteBuffer(text)).items.first?.description == read)
  }

  @Test(
    arguments: [
      ("<media:thumbnail url='t.jpg'/>", "http://a.example/t.jpg"),
      (
        "<media:content url='c.jpg' medium='image'/><media:thumbnail url='t.jpg'/>",
        "http://a.example/c.jpg"
      ),
      (
        "<media:group><media:content url='v.mp4' type='video/mp4'/><media:content url='p' type='image/png'/></media:group>",
        "http://a.example/p"
      ),
      (
        "<media:content url='v.mp4' type='video/mp4'><media:thumbnail url='t.png'/></media:content>",
        "http://a.example/t.png"
      ),
      (
        "<enclosure url='e.mp3' type='audio/mpeg'/><itunes:image href='i.png'/>",
        "http://a.example/i.png"
      ),
      ("<enclosure url='e.jpg' type='image/jpeg' length='1'/>", "http://a.example/e.jpg"),
      (
        "<description>&lt;img width=1 src=pixel.gif>&lt;img src='d.jpg'></description>",
        "http://a.example/d.jpg"
      ),
      ("<enclosure url='e.mp3' type='audio/mpeg'/>", nil),
    ] as [(String, String?)])
  func picturesAreFoundInTheNamespaces(_ inside: String, _ image: String?) throws {
    let text =
      "<rss xmlns:media='http://search.yahoo.com/mrss/' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><item>\(inside)</item></channel></rss>"
    let feed = try FeedParser.parse(ByteBuffer(text), url: WebURL("http://a.example/feed"))
    #expect(feed.items.first?.imageURL == image)
  }

  @Test(arguments: [
    "<itunes:subtitle>short</itunes:subtitle><itunes:summary>long</itunes:summary>",
    "<itunes:summary>long</itunes:summary><itunes:subtitle>short</itunes:subtitle>",
    "<itunes:subtitle>long</itunes:subtitle>",
    "<itunes:subtitle>short</itunes:subtitle><description>long</description>",
  ])
  func aSummaryBeatsASubtitle(_ inside: String) throws {
    let text =
      "<rss xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><item>\(inside)"
      + "</item></channel></rss>"
    #expect(try FeedParser.parse(ByteBuffer(text)).items.map(\.description) == ["long"])
  }
}
