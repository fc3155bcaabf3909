import AggregateCore
import AggregateFeeds
import Foundation
import Testing

struct XMLTests {
  func json(_ text: String) throws -> String {
    try XMLRecords.json(from: ByteBuffer(text)).text
  }

  @Test(arguments: [
    ("<a>x</a>", #"{"a":"x"}"#), ("<a/>", #"{"a":""}"#), ("<a b='1'/>", #"{"a":{"@b":"1"}}"#),
    ("<a b='1'>x</a>", ##"{"a":{"@b":"1","#text":"x"}}"##),
    ("<a><b>1</b><c/><b>2</b></a>", #"{"a":{"b":["1","2"],"c":""}}"#),
    ("<a>x<b>1</b>y</a>", ##"{"a":{"#text":"xy","b":"1"}}"##),
    ("<a> x\n</a>", #"{"a":"x"}"#), ("<a>1 &lt; \"2\" &amp; &#233;</a>", #"{"a":"1 < \"2\" & é"}"#),
    ("<a><![CDATA[<b>]]></a>", #"{"a":"<b>"}"#), ("<a>x<!-- c -->y<?p q?></a>", #"{"a":"xy"}"#),
    (
      "<p:a xmlns:p='urn:p' xmlns='urn:d'><b p:c='1'/></p:a>",
      #"{"p:a":{"b":{"@p:c":"1"}}}"#
    ),
    ("<!DOCTYPE a [<!ENTITY e 'one &amp; two'>]><a>&e;</a>", #"{"a":"one & two"}"#),
    ("\u{FEFF}\n<?xml version='1.0' encoding='utf-8'?>\n<a>ü</a>", #"{"a":"ü"}"#),
  ])
  func anElementIsAnObject(xml: String, wanted: String) throws {
    #expect(try json(xml) == wanted)
  }

  @Test(arguments: [
    "", "x", "<a>", "<a></b>", "<a>&bogus;</a>", "<a b=1/>", "<a/><b/>", "<a>\u{1}</a>", "<a",
    "<a>1 < 2</a>", "<a><!-- </a>", "<a><? </a>", "{\"a\": 1}",
  ])
  func whatIsNotWellFormedIsAnError(xml: String) {
    #expect {
      try json(xml)
    } throws: { ($0 as? AggregateError)?.code == .badData }
  }

  @Test func anErrorNamesItsLine() {
    #expect {
      try json("<?xml version='1.0'?>\n<!-- two\nlines -->\n<a>\n<b></c>\n</a>")
    } throws: { "\($0)".contains(":5:") }
  }

  /// A document with é, in some encoding, and the content type it came with.
  struct Encoded: Sendable {
    var bytes: [UInt8]
    var contentType: String?

    init(_ before: String, _ middle: [UInt8], _ contentType: String? = nil) {
      bytes = Array(before.utf8) + middle + Array("</a>".utf8)
      self.contentType = contentType
    }

    init(bytes: [UInt8]) { self.bytes = bytes }
  }

  static let declaration = "<?xml version='1.0' encoding='"
  static let utf8: [UInt8] = [0xC3, 0xA9]
  static let wide = Array("<a>é</a>".utf16)
  static let encodings: [Encoded] = [
    Encoded("<a>", utf8), Encoded("<a>", [0xE9]),
    Encoded(declaration + "iso-8859-1'?><a>", [0xE9]),
    Encoded("<a>", [0xE9], "text/xml; charset=windows-1252"),
    Encoded(declaration + "windows-1251'?><a>", [0xE9], "text/xml; charset=\"ISO-8859-1\""),
    Encoded(declaration + "no-such'?><a>", utf8),
    Encoded(declaration + "utf-8'?><a>", utf8, "text/xml; charset=iso-8859-1"),
    Encoded(bytes: [0xFF, 0xFE] + wide.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }),
    Encoded(bytes: wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }),
  ]

  @Test(arguments: encodings)
  func encodingsAreFoundOut(document: Encoded) throws {
    let json = try XMLRecords.json(
      from: ByteBuffer(document.bytes), contentType: document.contentType)
    #expect(json.text == #"{"a":"é"}"#)
  }

  @Test func windows1251IsConverted() throws {
    let bytes =
      Array("<?xml version='1.0' encoding='windows-1251'?><a>".utf8)
      + [0xCC, 0xE8, 0xF0] + Array("</a>".utf8)
    #expect(try XMLRecords.json(from: ByteBuffer(bytes)).text == #"{"a":"Мир"}"#)
  }

  @Test func entitiesDoNotGrowWithoutBounds() {
    var laughs = "<!DOCTYPE a [<!ENTITY l0 '\(String(repeating: "ha", count: 2000))'>"
    for i in 1...9 {
      laughs += "<!ENTITY l\(i) '\(String(repeating: "&l\(i - 1);", count: 10))'>"
    }
    let started = ContinuousClock.now
    _ = try? json(laughs + "]><a>&l9;</a>")
    #expect {
      try json(laughs + "]><a>\(String(repeating: "&l0;", count: 2000))</a>")
    } throws: { ($0 as? AggregateError)?.code == .limit }
    #expect(ContinuousClock.now - started < .seconds(5))
  }

  @Test(arguments: ["SYSTEM 'file:///etc/passwd'", "PUBLIC 'x' 'http://127.0.0.1:9/x'"])
  func externalEntitiesAreNotRead(id: String) {
    let text = "<!DOCTYPE a [<!ENTITY x \(id)>]><a>&x;</a>"
    #expect { try json(text) } throws: { !"\($0)".contains("root:") }
    let feed = try? FeedParser.parse(
      ByteBuffer(
        "<!DOCTYPE rss [<!ENTITY x \(id)>]><rss><channel><title>&x;</title></channel></rss>"))
    #expect(feed?.title == "&x;")
  }

  @Test func deepNestingIsALimitNotACrash() {
    let deep =
      String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
    #expect(throws: AggregateError.self) { try json(deep) }
    _ = try? FeedParser.parse(ByteBuffer("<rss><channel>" + deep + "</channel></rss>"))
  }

  @Test func damagedFeedsNeverCrash() throws {
    let whole = Array(
      """
      <?xml version="1.0" encoding="utf-8"?><!DOCTYPE rss [<!ENTITY a "b">]><rss xmlns:m="urn:m">
      <channel><title>T &amp; &a; &#8217;</title><item><title><![CDATA[x <b>]]></title><m:a b='1'/>
      <description>&lt;img src="p"&gt; é</description><!-- c --></item></channel></rss>
      """.utf8)
    for end in stride(from: 0, to: whole.count, by: 3) {
      _ = try? FeedParser.parse(ByteBuffer(Array(whole[..<end])))
    }
    var seed: UInt64 = 1
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<3 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(seed >> 33) % bytes.count] = UInt8(truncatingIfNeeded: seed >> 20)
      }
      _ = try? FeedParser.parse(ByteBuffer(bytes))
      _ = try? XMLRecords.json(from: ByteBuffer(bytes))
    }
  }

  @Test(
    .serialized,
    arguments: [
      "<!--", "<?", "<!DOCTYPE [", "<a ", "<a b=\"", "&#", "<!ENTITY x '", "<![CDATA[", "]]>", "<",
      "&lt;a b='", "&lt;!--", "<item>", "<!DOCTYPE x [<!ENTITY x '",
      "<![CDATA[<![CDATA[ ]]>", "]]</", "<![CDATA[</item>", "<a b='' ", "<a b=\"<", "<a b='\">",
    ])
  func hostileRepetitionTakesLinearTime(piece: String) {
    let started = ContinuousClock.now
    let text = String(repeating: piece, count: 50_000 / piece.utf8.count)
    _ = try? FeedParser.parse(
      ByteBuffer("<rss><channel><item><title>" + text + "</title></item></channel></rss>"))
    _ = try? FeedParser.parse(ByteBuffer(text))
    _ = try? XMLRecords.json(from: ByteBuffer("<a>" + text))
    #expect(ContinuousClock.now - started < .seconds(10))
  }

  @Test func theJSONIsValid() throws {
    let text = try json("<a b='\"'><c>\\ \t</c><c>&#x1F600;</c></a>")
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let inner = object?["a"] as? [String: Any]
    #expect(inner?["@b"] as? String == "\"")
    #expect(inner?["c"] as? [String] == ["\\", "😀"])
  }

  @Test func largeDocumentsAreReadToTheirEnd() throws {
    let text = String(repeating: "long ", count: 2_200_000)
    let document = try XMLDocument(
      parsing: ByteBuffer("<a><b>\(text)</b><c>last</c></a>"), mode: .strict)
    #expect(document.root.elements.last?.text == "last")
    #expect(document.root.elements.first?.text.utf8.count == text.utf8.count)
  }

  @Test func elementsOfTooManyAttributesAreRefused() throws {
    func document(_ count: Int) -> ByteBuffer {
      ByteBuffer("<a><b \((0..<count).map { "x\($0)=\"=\"" }.joined(separator: " "))>t</b></a>")
    }
    #expect(try XMLDocument(parsing: document(1000), mode: .strict).root.text == "t")
    for mode in [XMLDocument.Mode.strict, .recovering] {
      let error = #expect(throws: AggregateError.self) {
        try XMLDocument(parsing: document(100_000), mode: mode)
      }
      #expect(error?.message.contains("more than 1000 attributes") == true)
    }
    // What only looks like a tag has no attributes.
    let text = "<a><![CDATA[<b \(String(repeating: "=", count: 5000))]]></a>"
    #expect(try XMLDocument(parsing: ByteBuffer(text), mode: .strict).root.text.utf8.count == 5003)
  }
}
