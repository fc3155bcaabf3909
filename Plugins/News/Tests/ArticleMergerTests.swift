import AggregateCore
import AggregateNews
import Testing

/// Merging as it shows in the rows of two feeds.
struct ArticleMergerTests {
  struct Item: Sendable {
    var title = "A headline that is long enough to tell"
    var link: String? = "http://a.example/x"
    var guid: String?
    var date = "2024-03-01T10:00:00Z"
    var text: String?

    var xml: String {
      "<item><title>\(title)</title>" + (link.map { "<link>\($0)</link>" } ?? "")
        + (guid.map { "<guid isPermaLink=\"false\">\($0)</guid>" } ?? "")
        + "<pubDate>\(date)</pubDate>" + (text.map { "<description>\($0)</description>" } ?? "")
        + "</item>"
    }
  }

  func merged(_ a: [Item], _ b: [Item]) async -> Ran {
    let feeds = [
      "/a": "<rss><channel><title>A</title>\(a.map(\.xml).joined())</channel></rss>",
      "/b": "<rss><channel><title>B</title>\(b.map(\.xml).joined())</channel></rss>",
    ]
    return await News.run(
      ["feeds": ["http://f.example/a", "http://f.example/b"]],
      client: MemoryClient { .init(feeds[$0.url.path] ?? "") })
  }

  @Test(arguments: [
    "https://a.example/x", "http://www.a.example/x/", "http://A.example:80/x",
    "http://a.example/x?utm_source=rss&amp;utm_medium=feed", "http://a.example/x?fbclid=1#top",
  ])
  func theSameAddressIsTheSameArticle(link: String) async {
    let ran = await merged([Item()], [Item(title: "Other words altogether", link: link)])
    #expect(ran.rows.count == 1)
    #expect(ran.rows.first?["carried_by"] == .json(#"["A","B"]"#))
  }

  @Test(arguments: ["http://a.example/y", "http://a.example/x?id=2", "http://b.example/x"])
  func anotherAddressIsAnotherArticle(link: String) async {
    let ran = await merged([Item()], [Item(title: "Other words altogether", link: link)])
    #expect(ran.rows.count == 2)
  }

  @Test func theSameHeadlineElsewhereIsTheSameArticle() async {
    let ran = await merged(
      [Item()],
      [Item(title: "A headline, that is LONG enough to tell - B", link: "http://b.example/1")])
    #expect(ran.rows.count == 1)
  }

  @Test func theSameHeadlineWeeksLaterIsAnotherArticle() async {
    let ran = await merged(
      [Item()], [Item(link: "http://b.example/1", date: "2024-03-21T10:00:00Z")])
    #expect(ran.rows.count == 2)
  }

  @Test func theSameHeadlineInOneFeedIsAnotherArticle() async {
    let ran = await merged([Item(), Item(link: "http://a.example/2")], [])
    #expect(ran.rows.count == 2)
  }

  @Test func aShortHeadlineTellsNothing() async {
    let ran = await merged(
      [Item(title: "News")], [Item(title: "News", link: "http://b.example/1")])
    #expect(ran.rows.count == 2)
  }

  @Test func identifiersCountWithinTheirFeedUnlessTheyAreURNs() async {
    let local = await merged(
      [Item(title: "One", link: nil, guid: "7")], [Item(title: "Two", link: nil, guid: "7")])
    #expect(local.rows.count == 2)
    let urn = await merged(
      [Item(title: "One", link: "http://a.example/1", guid: "urn:x:7")],
      [Item(title: "Two", link: "http://b.example/2", guid: "urn:x:7")])
    #expect(urn.rows.count == 1)
  }

  @Test func itemsOfAFeedThatAllLeadToTheSiteAreNotOne() async {
    let items = ["one", "two", "three"].map { (word: String) in
      Item(title: "About \(word)", guid: word)
    }
    #expect(await merged(items, []).rows.count == 3)
    #expect(await merged([items[0], items[0]], []).rows.count == 1)
  }

  @Test func whatTheFirstLacksComesFromTheOthers() async {
    let ran = await merged([Item()], [Item(text: "More about it")])
    #expect(ran.rows.first?["description"] == .text("More about it"))
    #expect(ran.rows.first?["publisher"] == .text("A"))
  }

  @Test func rowsWithoutAnythingToTellThemByAreKept() async {
    let ran = await merged(
      [Item(title: "Same", link: nil), Item(title: "Same", link: nil, date: "2024-03-02")], [])
    #expect(ran.rows.count == 2)
  }
}
