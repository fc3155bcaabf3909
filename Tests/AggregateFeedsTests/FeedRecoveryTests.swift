import AggregateCore
import AggregateFeeds
import Foundation
import Testing

/// Feeds as they should not be: their items are read all the same, or what was received is named.
struct FeedRecoveryTests {
  private func feed(_ text: String) throws -> Feed { try FeedParser.parse(ByteBuffer(text)) }

  private static func around(_ inside: String) -> String {
    "<rss version='2.0'><channel><title>F</title>\(inside)</channel></rss>"
  }

  private static let two = "<item><title>a</title></item><item><title>b</title></item>"

  @Test(arguments: [
    // Not closed, or closed wrongly.
    around("<item><title>a</title><item><title>b</title>"),
    around("<item><title>a</item><item><title>b</title></item>"),
    around(
      "<item><title>a</title><description><p>x</description></item><item><title>b</title></item>"),
    around(
      "<item><title>a</title><description>x<br>y</description></item><item><title>b</title></item>"),
    around("<item><title>a</title></Item><item><title>b</title></item>"),
    around("<item><b><i>x</b></i><title>a</title></item><item><title>b</title></item>"),
    "<rss><channel>\(two)</rss></channel>", "<rss><channel>\(two)",
    "<rss><channel>\(two)</channel>",
    "<rss><channel><item><title>a</title></item><item><title>b",
    "<rss><channel><item><title>a</title></item><item><title>b</title><description>cut <![CDATA[off",
    "<rss><channel><item><title>a</title></item><item><title>b</title><enclosure url=\"http://a.exam",
    // Characters that are none.
    around("<item><title>a\u{0}</title></item><item><title>\u{1}b\u{1F}</title></item>"),
    around("<item><title>\u{B}a</title></item><item><title>b\u{FFFE}</title></item>"),
    around("<item><title>&#0;a</title></item><item><title>b&#xFFFF;</title></item>"),
    // Bare ampersands and angles.
    around(
      "<item><title>a</title><link>http://a.example/?x=1&y=2&z</link></item><item><title>b</title></item>"
    ),
    around(
      "<item><title>a</title><enclosure url='http://a.example/?x=1&y=2'/></item><item><title>b</title></item>"
    ),
    around(
      "<item><title>a</title><description>1 < 2 & 3 > 2 && x</description></item><item><title>b</title></item>"
    ),
    around(
      "<item><title>a</title><description>&nbsp;&bogus;&</description></item><item><title>b</title></item>"
    ),
    // Attributes.
    around("<item x=1><title>a</title></item><item x y='2'><title>b</title></item>"),
    around("<item x='1' x='2'><title>a</title></item><item><title>b</title></item>"),
    around("<item x='a<b'><title>a</title></item><item><title>b</title></item>"),
    // Prefixes that are bound to nothing.
    around(
      "<item><title>a</title><foo:bar>1</foo:bar></item><item><title>b</title><dc:date>2004</dc:date></item>"
    ),
    // What stands before and behind.
    "<!DOCTYPE html><html><body>\(around(two))</body></html>",
    "<html><body>\(around(two))",
    "junk before \(around(two))", "\n\n<?xml version='1.0'?>\(around(two))",
    "<?xml version='1.0'?><?xml version='1.0' encoding='utf-8'?>\(around(two))",
    "\u{FEFF}\u{FEFF}<?xml version='1.0'?>\(around(two))",
    "<br /><b>Warning</b>: x in <b>y.php</b><br />\n<?xml version='1.0'?>\(around(two))",
    "\(around(two))<!-- Cached 0.1s -->", "\(around(two))\nnoise & noise <",
    "\(around(two))\(around(two))",
    "<!-- made by -- us --> \(around(two))", "<?php echo 1 ?>\(around(two))",
    "<!DOCTYPE rss [<!ENTITY nbsp ' '>]>\(around(two))",
    "<!DOCTYPE rss SYSTEM 'x.dtd' [ \(around(two))",
    // Sections whose end is misspelt or missing.
    around(
      "<item><title><![CDATA[a]]</title></item><item><title>b</title></item>"),
    around(
      "<item><title><![CDATA[a]]</title></item><item><title><![CDATA[b]]></title></item>"),
    around(
      "<item><title>a</title><description><![CDATA[x <b>y</b></description></item><item><title>b</title></item>"
    ),
    // A comment, a section and an instruction that end nowhere.
    around("<item><title>a</title></item><!-- <item><title>b</title></item>"),
    around("<item><title>a</title></item><? <item><title>b</title></item>"),
  ])
  func theItemsAreRead(_ text: String) throws {
    #expect(try feed(text).items.map(\.title).prefix(2) == ["a", "b"])
  }

  @Test(arguments: [
    ("http://a.example/?x=1&y=2", "http://a.example/?x=1&y=2"),
    ("http://a.example/?x=1&amp;y=2", "http://a.example/?x=1&y=2"),
    (" \n http://a.example/1\n", "http://a.example/1"),
    ("<![CDATA[http://a.example/?x=1&y=2]]>", "http://a.example/?x=1&y=2"),
    ("http://a.example/a b", "http://a.example/a b"),
    ("http://a.example/?copy=1&copy=2", "http://a.example/?copy=1&copy=2"),
    ("http://a.example/?a=1&copy", "http://a.example/?a=1&copy"),
  ])
  func addressesSurviveTheirAmpersands(_ written: String, _ read: String) throws {
    #expect(
      try feed(Self.around("<item><link>\(written)</link></item>")).items.first?.url == read)
  }

  @Test(arguments: [
    ("&#55357;&#56832;", "😀"), ("a &#xD83D;&#xDE00; b", "a 😀 b"), ("&#55357;x&#56832;", "x"),
    ("&amp;#55357;&amp;#56832;", "😀"),
  ])
  func halvesOfCharactersAreReadAsOne(_ written: String, _ read: String) throws {
    let text = Self.around(
      "<item><title>\(written)</title><description>\(written)</description></item>")
    #expect(try feed(text).items.first?.title == read)
  }

  @Test(arguments: [
    ("if a&lt;b then c&gt;d", "if a<b then c>d"), ("List&lt;String&gt;", "List<String>"),
    ("a &lt;b&gt;bold&lt;/b&gt; word", "a bold word"), ("&lt;em class='x'&gt;a&lt;/em&gt;", "a"),
    ("&lt;b&gt;Map&lt;K,V&gt;&lt;/b&gt; &lt;br/&gt;x", "Map<K,V> x"),
    ("1 &lt; 2 &gt; 1", "1 < 2 > 1"),
    ("&lt;input disabled&gt;go", "go"), ("&lt;o:p&gt;x&lt;/o:p&gt;&lt;i&gt;y&lt;/i&gt;", "x y"),
    ("AT&amp;T", "AT&T"), ("&lt;i&gt;x&lt;!-- c --&gt;", "x"),
    ("The &lt;script&gt; tag", "The <script> tag"),
    ("a &lt;script&gt;if (a&lt;b) x&lt;/script&gt;b &lt;script&gt;", "a b <script>"),
  ])
  func onlyTagsAreTakenOutOfTitles(_ written: String, _ read: String) throws {
    #expect(
      try feed(Self.around("<item><title>\(written)</title></item>")).items.first?.title == read)
  }

  @Test func aSectionThatIsCutOffIsKeptAsItIs() throws {
    let text = "<rss><channel><item><title>a</title><description><![CDATA[<p>one <b>two"
    #expect(try feed(text).items.first?.description == "<p>one <b>two")
    let whole = Self.around(
      "<item><description><![CDATA[a[b[0]]</i> c]]></description></item>")
    #expect(try feed(whole).items.first?.description == "a[b[0]]</i> c")
  }

  @Test func everyBeginningOfAFeedIsReadOrRefusedAndLosesNoWholeItem() throws {
    let whole =
      "<?xml version='1.0'?>"
      + Self.around((0..<5).map { "<item><title>t\($0)</title></item>" }.joined())
    var most = 0
    for end in whole.indices {
      let part = String(whole[..<end])
      let complete = part.components(separatedBy: "</item>").count - 1
      guard let feed = try? feed(part) else {
        #expect(complete == 0, "\(part)")
        continue
      }
      #expect(feed.items.count >= complete, "\(part)")
      #expect(feed.items.prefix(complete).map(\.title) == (0..<complete).map { "t\($0)" })
      most = max(most, complete)
    }
    #expect(most == 5)
  }

  @Test(arguments: [
    ("", "the body is empty", "address that of the feed"),
    (
      "<!doctype html><html><body>Sorry</body></html>", "a web page (HTML) was received",
      "the page names no feed: give the feed's own address"
    ),
    (
      "<html><head><link rel='alternate' type='application/rss+xml' href='http://a.example/f'></head></html>",
      "a web page (HTML) was received", "its feed is http://a.example/f"
    ),
    ("Too many connections", "neither XML nor JSON", "it begins with “Too many connections”"),
    ("<?xml version='1.0'?><Error/>", "<Error>", "format: xml"),
    ("<opml><body/></opml>", "<opml>", "format: xml"),
    ("<urlset><url/></urlset>", "<urlset>", "format: xml"),
    (#"{"error":"no"}"#, "a JSON object with error", "format: json"),
    ("[]", "a JSON array", "format: json"),
    (#"{"version":"#, "", ""),
  ])
  func whatIsNoFeedIsNamedWithWhatToDo(_ text: String, _ words: String, _ hint: String) {
    let error = #expect(throws: AggregateError.self) { try feed(text) }
    #expect(error?.code == .badData)
    #expect(words.isEmpty || error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(hint.isEmpty || error?.hint?.contains(hint) == true, "\(error?.hint ?? "")")
  }
}
