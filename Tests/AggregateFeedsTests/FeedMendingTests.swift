import AggregateCore
import AggregateTestSupport
import Foundation
import Synchronization
import Testing

@testable import AggregateFeeds

/// Feeds whose tags do not fit one another: each item, and each part of it, is read as it was meant.
struct FeedMendingTests {
  private func feed(_ text: String) throws -> Feed { try FeedParser.parse(ByteBuffer(text)) }

  private static func around(_ inside: String) -> String {
    "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><title>F</title>"
      + "\(inside)</channel></rss>"
  }

  private static let date = "<pubDate>Mon, 01 Jan 2024 10:00:00 GMT</pubDate>"

  // MARK: HTML that is not escaped

  @Test(arguments: [
    ("one<br>two", "one<br />two"), ("one<BR>two", "one<BR />two"),
    ("a <img src=\"http://a.example/a.png\"> b", "a <img src=\"http://a.example/a.png\" /> b"),
    ("<p>x<br>y<img src='http://a.example/a.png'>", nil), ("<p>a<p>b", "<p>a</p><p>b</p>"),
    ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"), ("<p>a<hr>b</p>", "<p>a<hr />b</p>"),
    ("<b><i>x</b></i>", "<b><i>x</i></b>"), ("a</p>b", "ab"), ("a</br>b", "a<br />b"),
    ("<table><tr><td>1<td>2<tr><td>3</table>", nil),
    ("Use List<String> now", "Use List<String> now"), ("a ]]> b<br>", "a ]]&gt; b<br />"),
  ])
  func itemsBehindHTMLAreWhole(_ description: String, _ read: String?) throws {
    for count in [1, 3, 300] {
      let items = (0..<count).map {
        "<item><title>t\($0)</title><link>http://a.example/\($0)</link>"
          + "<description>\(description)</description>\(Self.date)<author>Au\($0)</author></item>"
      }
      let found = try feed(Self.around(items.joined())).items
      #expect(found.count == count)
      for (index, item) in found.enumerated() {
        #expect(item.title == "t\(index)")
        #expect(item.url == "http://a.example/\(index)")
        #expect(item.publishedAt?.iso8601 == "2024-01-01T10:00:00Z")
        #expect(item.author == "Au\(index)")
        if let read { #expect(item.description == read) }
      }
    }
  }

  @Test func nestingWithoutEndIsRead() throws {
    let deep = String(repeating: "<b><i>", count: 500) + "x"
    let closed =
      String(repeating: "<div>", count: 500) + "x" + String(repeating: "</div>", count: 500)
    for inside in [deep, closed] {
      let read = try feed(
        Self.around(
          "<item><description>\(inside)</description>\(Self.date)</item><item><title>b</title></item>"
        ))
      try #require(read.items.count == 2)
      #expect(read.items[0].publishedAt != nil)
      #expect(read.items[0].description?.contains("x") == true)
      #expect(read.items[1].title == "b")
    }
    let read = try feed(Self.around("<item><description>\(closed)</description></item>"))
    #expect((read.repairs?.droppedTags ?? 0) > 0)
    #expect(read.repairs?.hasLosses == true)
  }

  // MARK: Ends that are missing

  @Test(arguments: [
    "<item><title>a<link>http://a.example/1</link>DATE<description>d</description></item>",
    "<item><title>a</title><link>http://a.example/1<description>d</description>DATE</item>",
    "<item><title>a</title><link>http://a.example/1DATE<description>d</item>",
    "<item><title>a</titel><link>http://a.example/1</lnk><description>d</desc>DATE</item>",
    "<item><title>a</title><description>d<link>http://a.example/1</link>DATE</item>",
    "<item><title>a<description>d<link>http://a.example/1DATE",
    "<item><TITLE>a</title><Link>http://a.example/1</LINK><description>d</Description>DATE</Item>",
    "<item><title>a</title><link>http://a.example/1<dc:creator>x</dc:creator>DATE<description>d</item>",
    "<item><b>x<title>a</title><link>http://a.example/1</link>DATE<description>d</description></item>",
    "<item <title>a</title><link>http://a.example/1</link>DATE<description>d</description></item>",
    "<item><title>a</title><link>http://a.example/1</link><enclosure url='x>DATE<description>d</description></item>",
  ])
  func partsEndWhereTheNextBegins(_ item: String) throws {
    let item = item.replacing("DATE", with: Self.date)
    for copies in [1, 2, 400] {
      let read = try feed(Self.around(String(repeating: item, count: copies)))
      #expect(read.items.count == copies)
      for item in read.items {
        #expect(item.title == "a")
        #expect(item.url == "http://a.example/1")
        #expect(item.description == "d")
        #expect(item.publishedAt?.iso8601 == "2024-01-01T10:00:00Z")
      }
    }
  }

  @Test func itemsWithoutEndAreAllRead() throws {
    for name in ["item", "entry"] {
      let items = (0..<2000).map { "<\(name)><title>t\($0)</title>" }.joined()
      let text = name == "item" ? Self.around(items) : "<feed>\(items)</feed>"
      let read = try feed(text)
      #expect(read.items.map(\.title) == (0..<2000).map { "t\($0)" })
      #expect(read.repairs?.closedElements == 1999 || read.repairs?.closedElements == 2000)
    }
  }

  @Test(arguments: [
    "<item><title>a</title></item><item><title>b</title></item>",
    "<item°><title° x°y='1'>a</title></item><item><title>b</title°></item>",
    "<item><title>a</title><°x>y</°x><–a b='c'></item><item 1='2' -x='y'><title>b</title><x::y:>",
  ])
  func charactersThatNamesHaveNotEndThem(_ items: String) throws {
    let read = try feed("<rss° version='2.0'><channel>\(items)</channel></rss°>")
    #expect(read.items.map(\.title) == ["a", "b"])
    #expect(read.repairs?.isUnread != true)
  }

  @Test func atomIsMendedToo() throws {
    let text = """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><link href="http://a.example/" rel="alternate">
      <entry><title>a<link href="http://a.example/1"><id>1<updated>2024-01-01T10:00:00Z</updated>
      <author><name>Ann</author><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">one<br>two
      <details><summary>more</summary>x</details><svg><title>pic</title></svg></div></content></entry>
      <entry><title>b</title><link href="http://a.example/2"/></entry></feed>
      """
    let read = try feed(text)
    try #require(read.items.map(\.title) == ["a", "b"])
    #expect(read.items.map(\.url) == ["http://a.example/1", "http://a.example/2"])
    #expect(read.items[0].author == "Ann")
    #expect(read.items[0].id == "1")
    #expect(read.items[0].publishedAt?.iso8601 == "2024-01-01T10:00:00Z")
    #expect(
      read.items[0].content
        == "one<br />two\n<details><summary>more</summary>x</details><svg><title>pic</title></svg>")
    #expect(read.items[0].description == nil)
  }

  @Test func whatStandsInsideAPartStaysThere() throws {
    let text = Self.around(
      """
      <image><url>http://a.example/i.png</url><title>I</title><link>http://a.example/i</link></image>
      <item><title>a</title><source><title>S</title></source><br>
      <description>see <link>http://a.example/x</link> and <details><summary>s</summary>t</details></description>
      <link>http://a.example/1</link></item>
      """)
    let read = try feed(text)
    try #require(read.items.count == 1)
    #expect(read.title == "F")
    #expect(read.imageURL == "http://a.example/i.png")
    #expect(read.items[0].title == "a")
    #expect(read.items[0].url == "http://a.example/1")
    #expect(read.items[0].description?.contains("<summary>s</summary>") == true)
  }

  @Test func feedsBehindOneAnotherAndBehindTheirEndAreRead() throws {
    let one = "<rss><channel><title>F</title><item><title>a</title></item></channel></rss>"
    #expect(try feed(one + one.replacing(">a<", with: ">b<")).items.map(\.title) == ["a", "b"])
    let late = "<rss><channel></channel><item><title>a</title></item></rss><item><title>b</item>"
    #expect(try feed(late).items.map(\.title) == ["a", "b"])
  }

  // MARK: What is told

  @Test func whatWasMendedIsTold() throws {
    let fine = try feed(
      Self.around("<item><title>a</title><description>x<br>y</description></item>"))
    #expect(fine.repairs == nil)
    let guessed = try feed(Self.around("<item><title>a<link>http://a.example/1</item>"))
    #expect(guessed.repairs?.closedElements == 2)
    #expect(guessed.repairs?.hasLosses == false)
    #expect(guessed.repairs?.summary.contains("2 elements without an end tag") == true)
    let cut = try feed("<rss><channel><title>F</title><item><title>a</title><description>bc")
    #expect(cut.repairs?.isCutOff == true)
    #expect(cut.items.first?.description == "bc")

    let lines = Mutex<[String]>([])
    let log = RunLog(level: .normal, isStrict: false) { line in
      lines.withLock { $0.append("\(line)") }
    }
    _ = try FeedRows.batch(from: fine, log: log)
    _ = try FeedRows.batch(from: guessed, log: log)
    _ = try FeedRows.batch(from: cut, log: log)
    let told = lines.withLock { $0 }
    #expect(told.count == 2)
    #expect(told.first?.hasPrefix("the feed “F”: the document is not well-formed XML") == true)
    #expect(told.last?.hasPrefix("warning: the feed “F”: ") == true)
    #expect(told.last?.contains("cut off") == true)
  }

  // MARK: What is well-formed

  /// Mending changes nothing where nothing is wrong, so that it cannot be seen whether it ran.
  @Test(.corpus("feeds"))
  func wellFormedDocumentsStayAsTheyAre() throws {
    var counted = 0
    for file in Corpus.files("", ["xml"]) {
      let text = EncodingDetection.utf8(
        try Corpus.bytes(file), contentType: nil, isLenient: true)
      guard let strict = try? XMLDocument(text: text, mode: .strict),
        let read = try? XMLDocument(text: text, mode: .recovering), read.repairs == nil,
        XMLFeedReader.read(read.root, url: nil) != nil
      else { continue }
      #expect(same(strict.root, read.root), "\(file)")
      var cleaner = XMLCleaner(isLenient: true, keepsTags: true)
      let clean = try cleaner.clean(text)
      var mender = XMLMender(clean, cleaner.startTags, original: text)
      let mended = try XMLDocument(text: mender.mend(), mode: .strict)
      let isSame = mended.root == read.root
      #expect(isSame, "\(file)")
      #expect(mender.repairs.isEmpty, "\(file): \(mender.repairs)")
      counted += 1
    }
    #expect(counted > 350)
  }

  /// The same but for the references to windows-1252 numbers that only the lenient reader mends.
  private func same(_ a: XMLElement, _ b: XMLElement) -> Bool {
    a == b || (a.name == b.name && a.elements.count == b.elements.count)
  }

  @Test func randomTagsAreReadWithoutACrashAndLoseNoText() throws {
    let pieces = [
      "<item>", "</item>", "<title>", "</title>", "<link>", "</link>", "<description>",
      "</description>", "<br>", "<b>", "</b>", "<p>", "</p>", "<div>", "</div>", "<x>", "</x>",
      "<dc:date>", "</dc:date>", "<![CDATA[c]]>", "<link href='u'>", "</ ", "< ", "]]>",
      "</channel>",
      "<channel>", "</rss>", "<source>", "<content xmlns='u'>", "<a/>",
    ]
    var random = SplitMix(seed: 11)
    for round in 0..<1500 {
      var text = "<rss><channel>"
      var words = 0
      for _ in 0..<(round % 40 + 1) {
        text += pieces[Int(random.next() % UInt64(pieces.count))]
        text += "w\(words)w "
        words += 1
      }
      let document = try XMLDocument(text: Array(text.utf8), mode: .recovering)
      let read = document.root.text
      let missing = (0..<words).filter { !read.contains("w\($0)w") }
      #expect(missing.isEmpty, "\(text)")
      #expect(document.repairs?.isUnread != true, "\(text)")
    }
  }

  @Test(arguments: [
    "<b>", "</b>", "<b><i></b>", "<item>", "<title>", "<q a=\"", "<x y='>", "<channel>",
    "</title> ",
    "]]>", "<link href='u'>", "<a x='<item",
  ])
  func timeIsLinearInWhatIsWrong(_ piece: String) throws {
    let text = Self.around("<item>" + String(repeating: piece, count: 30_000) + "</item>")
    let start = Self.processorTime
    _ = try? feed(text)
    // The square of it would take minutes.
    #expect(Self.processorTime - start < 10)
  }

  /// Seconds of the thread, which a busy machine does not lengthen.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Random numbers that are the same in each run.
private struct SplitMix {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
