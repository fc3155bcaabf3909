import AggregateCore
import AggregateNews
import Testing

/// Which items are the same article: what is different stays, whatever it has in common.
struct ArticleIdentityTests {
  /// The rows of feeds that answer at `/0`, `/1` …
  private func rows(_ feeds: [String], title: String = "News") async -> Ran {
    let addresses = feeds.indices.map { "http://site\($0).example/\($0)" }
    return await News.run(
      ["feeds": .list(addresses.map { .text($0) })],
      client: MemoryClient { request in
        let index = Int(request.url.path.dropFirst()) ?? 0
        return .init(
          "<rss><channel><title>\(title)</title>\(feeds[index])</channel></rss>",
          contentType: "application/rss+xml")
      })
  }

  private func item(
    _ title: String?, link: String? = nil, guid: String? = nil, text: String? = nil,
    date: String? = nil
  ) -> String {
    func element(_ name: String, _ text: String?) -> String {
      text.map { "<\(name)>\($0)</\(name)>" } ?? ""
    }
    return "<item>" + element("title", title) + element("link", link)
      + (guid.map { "<guid isPermaLink=\"false\">\($0)</guid>" } ?? "")
      + element("description", text) + element("pubDate", date) + "</item>"
  }

  @Test func withoutIdentifiersOneAddressMayHaveSeveralItems() async {
    let ran = await rows([
      item("First headline about something", link: "https://shop.example/")
        + item("Second headline about other things", link: "https://shop.example/")
        + item("Third headline about more", link: "https://shop.example/#3")
    ])
    #expect(ran.rows.count == 3)
  }

  @Test func otherIdentifiersAreOtherItemsWhateverTheirTitles() async {
    let comments = (1...3).map {
      item(
        "By: Alice", link: "https://b.example/post/#comment-\($0)",
        guid: "https://b.example/?p=1#comment-\($0)", text: "Comment \($0)")
    }
    #expect(await rows([comments.joined()]).rows.count == 3)
    let notes =
      item(nil, link: "https://m.example/", guid: "1", text: "Hello one")
      + item(nil, link: "https://m.example/", guid: "2", text: "Hello two")
      + item(nil, text: "No link, no guid A") + item(nil, text: "No link, no guid B")
    #expect(await rows([notes]).rows.count == 4)
  }

  @Test func anIdentifierThatStandsForSomethingElseIsAnotherItem() async {
    let ran = await rows([
      item("One", link: "http://a.example/1", guid: "0")
        + item("Two", link: "http://a.example/2", guid: "0")
        + item("Two, corrected", link: "http://a.example/2", guid: "0")
    ])
    #expect(ran.column("title") == ["One", "Two"])
    // Some feeds have the site as the identifier of everything.
    let site = "https://a.example/"
    let items = ["One", "Two", "Three"].map {
      item($0, link: site, guid: site, text: "About " + $0)
    }
    #expect(await rows([items.joined()]).rows.count == 3)
    let untitled = ["a", "b", "b"].map { item(nil, guid: "0", text: $0) }
    #expect(await rows([untitled.joined()]).rows.count == 2)
  }

  @Test func feedsOfOneNameAreDifferentFeeds() async {
    let ran = await rows([
      item("A one", link: "http://a.example/1", guid: "1")
        + item("A two", link: "http://a.example/2", guid: "2"),
      item("B one", link: "http://b.example/1", guid: "1")
        + item("B two", link: "http://b.example/2", guid: "2"),
    ])
    #expect(ran.column("title") == ["A one", "A two", "B one", "B two"])
  }

  @Test(arguments: ["post:1", "1:2", ":", "id:http://a.example", "https:", "http://", "ftp://a/b"])
  func aColonMakesNoIdentifierOfTheWorld(guid: String) async {
    let ran = await rows([
      item("A one", link: "http://a.example/1", guid: guid),
      item("B one", link: "http://b.example/1", guid: guid),
    ])
    #expect(ran.rows.count == 2)
  }

  @Test(arguments: ["urn:uuid:1", "URN:uuid:1", "tag:a.example,2024:1", "https://a.example/?p=1"])
  func addressesAndURNsAreIdentifiersOfTheWorld(guid: String) async {
    let ran = await rows([
      item("A one", link: "http://a.example/1", guid: guid),
      item("B one", link: "http://b.example/1", guid: guid),
    ])
    #expect(ran.rows.count == 1)
  }

  @Test func whatSeveralItemsOfAFeedShareTellsNothingElsewhere() async {
    let page = "https://a.example/blog"
    let one = item("The one headline", link: page, guid: "1")
    let two = item("The other headline", link: page, guid: "2")
    let three = item("A third headline", link: page, guid: "x")
    #expect(await rows([three, one + two]).rows.count == 3)
    #expect(await rows([one + two, three]).rows.count == 3)
    // With the headline it does.
    let again = item("The other headline", link: page, guid: "y")
    #expect(await rows([one + two, again]).column("title").count == 2)
    #expect(await rows([again, one + two]).column("title").count == 2)
  }

  @Test func oneArticleOfAnotherFeedTakesOneItemOfAFeed() async {
    let title = "The answers to the crossword of today"
    let twice =
      item(title, link: "http://a.example/1", guid: "1")
      + item(title, link: "http://a.example/2", guid: "2")
    let ran = await News.run(
      [
        "service": ["newsapi", "feeds"], "api_key": "k", "country": "us",
        "feeds": "http://a.example/rss",
      ],
      client: MemoryClient { request in
        request.url.authority == "a.example"
          ? .init("<rss><channel><title>A</title>\(twice)</channel></rss>")
          : .init(
            #"{"status":"ok","totalResults":1,"articles":[{"title":"\#(title)","url":"http://n/1"}]}"#
          )
      })
    #expect(ran.rows.count == 2)
  }

  @Test func feedsThatRepeatAnAddressWithoutEndAreReadInNoTime() async {
    let items = (0..<5_000).map {
      item("Untold", link: "https://a.example/", guid: "\($0)", text: "\($0)")
    }.joined()
    let ran = await rows([items, items])
    #expect(ran.rows.count == 10_000)
  }

  @Test(
    arguments: [
      ("https://app.example/#!/story/1", "https://app.example/#!/story/2", 2),
      ("https://app.example/#/story/1", "https://app.example/#/story/2", 2),
      ("https://app.example/#!/story/1", "https://app.example/#!/story/1", 1),
      ("https://app.example/a#!/", "https://app.example/a", 1),
      ("https://app.example/a#top", "https://app.example/a#end", 1),
      ("https://app.example/a#comment-7", "https://app.example/a", 2),
      ("https://a.example/%c3%a9", "https://a.example/%C3%A9", 1),
      ("https://a.example/%C3%A9", "https://a.example/é", 1),
      ("https://a.example/%7Ejoe/", "https://a.example/~joe", 1),
      ("https://a.example/a%2Db", "https://a.example/a-b", 1),
      ("https://a.example/a%2Fb", "https://a.example/a/b", 2),
      ("https://xn--bcher-kva.example/a", "https://bücher.example/a", 1),
      ("https://xn--bcher-kva.example/a", "https://BÜCHER.example/a", 1),
      ("https://www.a.example./a", "https://a.example/a", 1),
      ("https://a.example:8080/a", "https://a.example/a", 2),
      ("https://a.example/a?id=1", "https://a.example/a?id=2", 2),
    ])
  func addresses(_ a: String, _ b: String, count: Int) async {
    let ran = await rows([item("One", link: a), item("Two", link: b)])
    #expect(ran.rows.count == count)
  }

  @Test(
    arguments: [
      "CMP=share_btn", "partner=rss&amp;emc=rss", "mkt_tok=a", "_hsenc=a", "_hsmi=1", "srsltid=a",
      "gbraid=a", "wbraid=a", "igsh=a", "taid=5f", "source=rss", "ref=rss", "utm_id=1",
    ])
  func countersAreNoPartOfAnAddress(_ query: String) async {
    let page = "https://a.example/1"
    let ran = await rows([item("One", link: page), item("Two", link: page + "?" + query)])
    #expect(ran.rows.count == 1)
  }

  @Test(arguments: ["partner=42", "source=bbc", "ref=main", "emcee=1"])
  func otherParametersAre(_ query: String) async {
    let page = "https://a.example/1"
    let ran = await rows([item("One", link: page), item("Two", link: page + "?" + query)])
    #expect(ran.rows.count == 2)
  }

  @Test(
    arguments: [
      // Twenty and seventeen letters, of two bytes each.
      ("Срочные новости недели", 1), ("Срочные новости дня", 2),
      // A Chinese, Japanese or Korean character says as much as two letters.
      ("総理大臣が辞任を表明した", 1), ("本日のニュース", 2), ("대통령이 오늘 사임했다고", 1), ("今日头条新闻", 2),
      ("Twenty letters are it", 2), ("Twenty letters are in it", 1),
    ])
  func headlinesAreMeasuredInLettersNotBytes(_ title: String, count: Int) async {
    #expect(await rowCount(of: title, and: title) == count)
  }

  @Test(
    arguments: [
      ("Market closes at 10.5 percent higher", "Market closes at 105 percent higher", 2),
      ("C++ is faster than ever in this test", "C is faster than ever in this test", 2),
      ("ＡＢＣ company announces a product", "ABC company announces a product", 1),
      ("The council votes on ten trees — A", "The council votes on ten trees", 1),
      ("The council votes on ten trees - a - A", "The council votes on ten trees", 1),
      ("The council votes on ten trees - The Wire of A", "The council votes on ten trees", 2),
      ("A – A", "A", 2),
    ])
  func headlines(_ first: String, _ second: String, count: Int) async {
    #expect(await rowCount(of: first, and: second) == count)
  }

  /// How many rows two feeds give that have one item each, with these headlines.
  private func rowCount(of first: String, and second: String) async -> Int {
    let a = "<rss><channel><title>A</title>\(item(first, link: "http://a/1"))</channel></rss>"
    let b = "<rss><channel><title>B</title>\(item(second, link: "http://b/1"))</channel></rss>"
    let ran = await News.run(
      ["feeds": ["http://a/f", "http://b/f"]],
      client: MemoryClient { .init($0.url.authority == "a" ? a : b) })
    return ran.rows.count
  }
}
