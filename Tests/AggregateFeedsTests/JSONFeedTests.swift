import AggregateCore
import AggregateFeeds
import Testing

/// JSON Feed 1.0 and 1.1, as specified and as written.
struct JSONFeedTests {
  private func feed(
    _ item: String, version: String = "https://jsonfeed.org/version/1.1", _ more: String = ""
  )
    throws -> Feed
  {
    try FeedParser.parse(
      ByteBuffer(#"{"version":"\#(version)","title":"F"\#(more),"items":[\#(item)]}"#),
      url: WebURL("http://a.example/feed.json"))
  }

  @Test(arguments: [
    "https://jsonfeed.org/version/1", "https://jsonfeed.org/version/1.1",
    "http://jsonfeed.org/version/1.1", "1.1", "1",
  ])
  func versionsAreKnown(_ version: String) throws {
    #expect(try feed(#"{"id":"1","title":"t"}"#, version: version).items.map(\.title) == ["t"])
  }

  @Test(arguments: [
    ("Use <b> & &amp;", "Use <b> & &amp;"), ("<em>x</em>", "<em>x</em>"),
    ("It&#8217;s &lt;here&gt;", "It’s <here>"), ("AT&T", "AT&T"),
    ("a &amp; b & c", "a &amp; b & c"),
    (" two  words ", "two words"),
  ])
  func titlesArePlainText(_ written: String, _ read: String) throws {
    #expect(try feed(#"{"id":"1","title":"\#(written)"}"#).items.map(\.title) == [read])
  }

  @Test(
    arguments: [
      (#"{"title":"t"}"#, nil, nil), (#"{"id":null}"#, nil, nil), (#"{"id":""}"#, nil, nil),
      (#"{"id":7}"#, "7", nil), (#"{"id":7.50}"#, "7.50", nil),
      (#"{"id":12345678901234567890123}"#, "12345678901234567890123", nil),
      (#"{"id":true}"#, nil, nil),
      (#"{"id":"http://b.example/1"}"#, "http://b.example/1", "http://b.example/1"),
      (#"{"id":"tag:1"}"#, "tag:1", nil),
      (#"{"id":"1","url":"x/1"}"#, "1", "http://a.example/x/1"),
      (#"{"id":"1","external_url":"http://c.example/"}"#, "1", "http://c.example/"),
      (#"{"id":"1","url":"u","external_url":"http://c.example/"}"#, "1", "http://a.example/u"),
      (#"{"id":"1","url":5}"#, "1", nil),
    ] as [(String, String?, String?)])
  func identifiersAndAddressesAreReadInAnyForm(_ item: String, _ id: String?, _ url: String?) throws
  {
    let feed = try feed(item)
    try #require(feed.items.count == 1)
    #expect(feed.items[0].id == id)
    #expect(feed.items[0].url == url)
  }

  @Test(arguments: [
    (#""authors":[{"name":"Ann"},{"name":"Bob"}]"#, "Ann, Bob"),
    (#""author":{"name":"Ann"}"#, "Ann"),
    (#""authors":[],"author":{"name":"Ann"}"#, "Ann"),
    (#""authors":[{"name":"Ann"}],"author":{"name":"Bob"}"#, "Ann"),
    (#""authors":[{"url":"http://ann.example/"}]"#, "http://ann.example/"),
    (#""author":"Ann""#, "Ann"), (#""authors":["Ann","Bob"]"#, "Ann, Bob"),
    (#""authors":{"name":"Ann"}"#, "Ann"), (#""author":[{"name":"Ann"}]"#, "Ann"),
    (#""author":null"#, "Ed"), (#""authors":[{}]"#, "Ed"), (#""author":7"#, "Ed"),
    (#""x":1"#, "Ed"),
  ])
  func authorsAreReadInAnyForm(_ part: String, _ read: String) throws {
    let feed = try feed("{\"id\":\"1\",\(part)}", #","authors":[{"name":"Ed"}]"#)
    #expect(feed.items.map(\.author) == [read])
  }

  @Test(
    arguments: [
      (#""date_published":"2024-01-02T03:04:05Z""#, "2024-01-02T03:04:05Z", nil),
      (#""date_published":"2024-01-02T03:04:05.5-01:00""#, "2024-01-02T04:04:05.500Z", nil),
      (#""date_published":"2024-01-02""#, "2024-01-02T00:00:00Z", nil),
      (#""date_published":"Tue, 02 Jan 2024 03:04:05 GMT""#, "2024-01-02T03:04:05Z", nil),
      (#""date_modified":"2024-01-02T03:04:05Z""#, "2024-01-02T03:04:05Z", nil),
      (
        #""date_published":"soon","date_modified":"2024-01-02T03:04:05Z""#, "2024-01-02T03:04:05Z",
        nil
      ),
      (#""date_published":null"#, nil, nil), (#""date_published":"soon""#, nil, "soon"),
      (#""date_published":1704164645"#, "2024-01-02T03:04:05Z", nil),
      (#""date_published":1704164645000"#, "2024-01-02T03:04:05Z", nil),
      (#""date_published":5"#, nil, "5"), (#""date_published":{}"#, nil, nil),
    ] as [(String, String?, String?)])
  func datesAreReadOrTold(_ part: String, _ read: String?, _ unreadable: String?) throws {
    let item = try #require(try feed("{\"id\":\"1\",\(part)}").items.first)
    #expect(item.publishedAt?.iso8601 == read)
    #expect(item.unreadableDate == unreadable)
  }

  @Test func contentsAndPicturesHaveTheirOrder() throws {
    let items = try feed(
      #"{"content_html":"<a href='x'>","content_text":"t","summary":"s","image":"i","banner_image":"b"},{"content_text":"t","banner_image":"b"},{"attachments":[{"mime_type":"audio/mpeg","url":"m"},{"mime_type":"image/png","url":"p"}]},{"content_html":"<img src=q>"}"#
    ).items
    #expect(
      items.map(\.content) == [
        "<a href='http://a.example/x'>", "t", nil, "<img src=http://a.example/q>",
      ])
    #expect(items[0].description == "s")
    #expect(
      items.map(\.imageURL) == ["i", "b", "p", "q"].map { "http://a.example/\($0)" })
  }

  @Test(arguments: ["", "1,null,\"x\",[]"])
  func whatIsNoItemIsLeftOut(_ items: String) throws { #expect(try feed(items).items.isEmpty) }

  @Test func aFeedWithoutItemsIsEmpty() throws {
    for text in [
      #"{"version":"https://jsonfeed.org/version/1"}"#,
      #"{"version":"https://jsonfeed.org/version/1","items":{}}"#,
    ] {
      #expect(try FeedParser.parse(ByteBuffer(text)).items.isEmpty)
    }
  }
}
