import AggregateCore
import AggregateNews
import Foundation
import Testing

/// Where the pages of NewsAPI end.
struct NewsPagingTests {
  /// How a service pages.
  struct Service: Sendable {
    var count = 250
    /// What stands for `totalResults`; nil when it is left out.
    var total: String? = "250"
    /// The most articles on a page, whatever is asked for.
    var largest = Int.max
    /// How many articles of the page before a page begins with.
    var overlap = 0
    /// From where on the plan allows nothing; nil for no bound.
    var most: Int?
    /// The page that is given instead of a page.
    var instead: [Int: Int] = [:]

    var client: MemoryClient {
      MemoryClient { request in
        func number(_ name: String) -> Int {
          request.url.queryItems.first { $0.name == name }.flatMap { Int($0.value) } ?? 1
        }
        let asked = number("page")
        let page = instead[asked] ?? asked
        let size = min(number("pageSize"), largest)
        if let most, page * size > most {
          return .init(
            #"{"status":"error","code":"maximumResultsReached","message":"You have requested too many results. Developer accounts are limited to a max of \#(most) results."}"#,
            status: 426)
        }
        let first = max(0, (page - 1) * size - overlap)
        let last = min(count, first + size)
        let articles = first < last ? (first..<last).map { NewsAPITests.article($0 + 1) } : []
        let sum = total.map { #""totalResults":\#($0),"# } ?? ""
        return .init(#"{"status":"ok",\#(sum)"articles":[\#(articles.joined(separator: ","))]}"#)
      }
    }
  }

  private func run(
    _ service: Service, _ more: [(String, Written)] = [], policy: ErrorPolicy = .fail,
    maxPages: Int? = nil
  ) async -> (ran: Ran, requests: Int) {
    let client = service.client
    let ran = await News.run(
      .map([("api_key", "k"), ("country", "us")] + more), client: client, maxPages: maxPages,
      policy: policy)
    return (ran, client.requests.count)
  }

  private static func titles(_ count: Int) -> [String] { (1...count).map { "Title \($0)" } }

  @Test func theLimitCountsTheRowsThatComeOut() async {
    var service = Service(count: 1000, total: "1000", overlap: 10)
    let (ran, _) = await run(service, [("limit", "100"), ("page_size", "50")])
    #expect(ran.column("title") == Self.titles(100))
    service.overlap = 0
    let (exact, requests) = await run(service, [("limit", "100"), ("page_size", "50")])
    #expect(exact.rows.count == 100)
    #expect(requests == 2)
  }

  @Test(arguments: [nil, "\"250\"", "250", "2.5e2", "null"])
  func aTotalThatIsMissingOrTextEndsNothingEarly(_ total: String?) async {
    let (ran, requests) = await run(Service(total: total))
    #expect(ran.error == nil)
    #expect(ran.column("title") == Self.titles(250))
    #expect(requests <= 4)
  }

  @Test func aServiceThatGivesSmallerPagesIsReadToItsEnd() async {
    let (ran, requests) = await run(Service(count: 100, total: "100", largest: 20))
    #expect(ran.column("title") == Self.titles(100))
    #expect(requests == 5)
    let (untold, _) = await run(Service(count: 100, total: nil, largest: 20))
    #expect(untold.column("title") == Self.titles(100))
  }

  @Test func aTotalThatIsTooLargeEndsWithAnEmptyPage() async {
    let (ran, requests) = await run(Service(count: 90, total: "200"))
    #expect(ran.error == nil)
    #expect(ran.rows.count == 90)
    #expect(requests == 2)
  }

  @Test func pageTwoThatIsPageOneIsAnAnomaly() async {
    let (ran, requests) = await run(Service(count: 1000, total: "300", instead: [2: 1, 3: 1]))
    #expect(ran.error?.code == .pagination)
    #expect(ran.error?.message.contains("pages 2 and 3") == true)
    #expect(ran.column("title") == Self.titles(100))
    #expect(requests == 3)
  }

  @Test func aLaterPageThatRepeatsTheOneBeforeIsTheEnd() async {
    let (ran, requests) = await run(Service(count: 1000, total: "900", instead: [3: 2, 4: 2]))
    #expect(ran.error == nil)
    #expect(ran.column("title") == Self.titles(200))
    #expect(ran.warnings.contains { $0.contains("page 4 repeats the page before it") })
    #expect(requests == 4)
  }

  @Test func pagesThatGoRoundAreAnAnomaly() async {
    let (ran, _) = await run(Service(count: 1000, total: "900", instead: [4: 1, 5: 2]))
    #expect(ran.error?.code == .pagination)
    #expect(ran.rows.count == 300)
  }

  @Test func equalPagesOfRemovedArticlesAreNoAnomaly() async {
    let removed = #"{"title":"[Removed]","url":"https://removed.com"}"#
    let ran = await News.run(
      ["api_key": "k", "country": "us", "page_size": "1", "keep_removed": "true"],
      client: MemoryClient { _ in
        .init(#"{"status":"ok","totalResults":3,"articles":[\#(removed)]}"#)
      })
    #expect(ran.error == nil)
    #expect(ran.rows.count == 3)
  }

  @Test(arguments: [100, 70, 51, 40, 33, 30, 7])
  func theFreePlansHundredArticlesAreReadWhateverThePageSize(_ size: Int) async {
    let (ran, requests) = await run(
      Service(count: 22_701, total: "22701", most: 100), [("page_size", .text(String(size)))])
    #expect(ran.error == nil)
    #expect(ran.column("title") == Self.titles(100))
    #expect(ran.warnings.count == 1)
    #expect(ran.warnings.first?.contains("the articles before are kept") == true)
    #expect(ran.warnings.first?.contains("lower limit, or narrow the query") == true)
    #expect(requests <= 100 / size + 2)
  }

  @Test func theMostPagesAreKeptTo() async {
    let (ran, requests) = await run(Service(), maxPages: 2)
    #expect(ran.error == nil)
    #expect(ran.rows.count == 200)
    #expect(requests == 2)
  }

  @Test func whatIsNoArticleIsCountedAndLeftOutWhenSkipping() async {
    let body =
      #"{"status":"ok","totalResults":3,"articles":[\#(NewsAPITests.article(1)),null,\#(NewsAPITests.article(2))]}"#
    let options: Written = ["api_key": "k", "country": "us"]
    let skipped = await News.run(
      options, client: MemoryClient { _ in .init(body) }, policy: .skip)
    #expect(skipped.error == nil)
    #expect(skipped.column("title") == ["Title 1", "Title 2"])
    #expect(skipped.lines.contains { $0.contains("1 malformed record left out") })
    let failed = await News.run(options, client: MemoryClient { _ in .init(body) })
    #expect(failed.error?.code == .badData)
    #expect(failed.error?.message.contains("https://newsapi.org/v2/top-headlines") == true)
    #expect(failed.error?.message.contains("“articles” has null") == true)
    #expect(failed.column("title") == ["Title 1"])
  }
}
