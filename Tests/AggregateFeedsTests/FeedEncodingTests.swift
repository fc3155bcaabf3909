import AggregateCore
import AggregateFeeds
import Testing

/// What a feed's characters are, by byte order mark, HTTP, XML declaration, or by their bytes alone.
struct FeedEncodingTests {
  /// A feed with one title, in bytes, with what is said about them.
  struct Document: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let title: [UInt8]
    /// What HTTP says.
    var http: String?
    /// What the XML declaration says; nil for no declaration.
    var xml: String?
    var mark: [UInt8] = []
    /// The bytes of each unit of text, for the wide encodings.
    var wide: (@Sendable (UInt16) -> [UInt8])?
    let read: String

    init(
      _ name: String, _ title: [UInt8], http: String? = nil, xml: String? = nil,
      mark: [UInt8] = [], wide: (@Sendable (UInt16) -> [UInt8])? = nil, _ read: String
    ) {
      testDescription = name
      (self.title, self.http, self.xml, self.mark, self.wide, self.read) =
        (title, http, xml, mark, wide, read)
    }

    var bytes: [UInt8] {
      let declaration = xml.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
      let before = "\(declaration)<rss><channel><item><title>"
      let after = "</title></item></channel></rss>"
      guard let wide else { return mark + Array(before.utf8) + title + Array(after.utf8) }
      let text = before + String(decoding: title, as: UTF8.self) + after
      return mark + text.utf16.flatMap(wide)
    }
  }

  static let utf8 = Array("Žluťoučký – naïve".utf8)
  static let little: @Sendable (UInt16) -> [UInt8] = { [UInt8($0 & 255), UInt8($0 >> 8)] }
  static let big: @Sendable (UInt16) -> [UInt8] = { [UInt8($0 >> 8), UInt8($0 & 255)] }

  static let documents: [Document] = [
    Document("nothing is said", utf8, "Žluťoučký – naïve"),
    Document("XML says it", utf8, xml: "UTF-8", "Žluťoučký – naïve"),
    Document("HTTP says it", utf8, http: "utf-8", "Žluťoučký – naïve"),
    Document("a mark says it", utf8, mark: [0xEF, 0xBB, 0xBF], "Žluťoučký – naïve"),
    Document(
      "a mark beats HTTP and XML", utf8, http: "windows-1251", xml: "koi8-r",
      mark: [0xEF, 0xBB, 0xBF], "Žluťoučký – naïve"),
    Document(
      "UTF-8 that HTTP calls Latin-1", utf8, http: "iso-8859-1", "Žluťoučký – naïve"),
    Document("UTF-8 that XML calls Latin-1", utf8, xml: "ISO-8859-1", "Žluťoučký – naïve"),
    Document(
      "HTTP's default beside a right declaration", utf8, http: "windows-1252", xml: "utf-8",
      "Žluťoučký – naïve"),
    Document("UTF-8 that is called ASCII", utf8, xml: "us-ascii", "Žluťoučký – naïve"),
    Document(
      "no encoding has that name", utf8, http: "x-unknown", xml: "made-up", "Žluťoučký – naïve"),
    Document("Latin-1 by XML", [0x63, 0x61, 0x66, 0xE9], xml: "iso-8859-1", "café"),
    Document("Latin-1 by HTTP", [0x63, 0x61, 0x66, 0xE9], http: "\"ISO-8859-1\"", "café"),
    Document("Latin-1 and nothing said", [0x63, 0x61, 0x66, 0xE9], "café"),
    Document("Latin-1 that is called UTF-8", [0x63, 0x61, 0x66, 0xE9], xml: "utf-8", "café"),
    Document(
      "windows-1252 for Latin-1", [0x93, 0x80, 0x94, 0x85], xml: "iso-8859-1", "“€”…"),
    Document("windows-1252 for ASCII", [0x93, 0x78, 0x94], xml: "us-ascii", "“x”"),
    Document("windows-1252 for UTF-8", [0x93, 0x78, 0x94], http: "utf-8", "“x”"),
    Document(
      "one wrong byte in UTF-8", Array("é ".utf8) + [0x92] + Array(" ž".utf8), xml: "utf-8", "é ’ ž"
    ),
    Document("Latin-9", [0xA4, 0xBC], xml: "iso-8859-15", "€Œ"),
    Document("windows-1250", [0xE8, 0x9A], xml: "windows-1250", "čš"),
    Document("windows-1251", [0xCC, 0xE8, 0xF0], http: "windows-1251", "Мир"),
    Document("KOI8-R", [0xED, 0xC9, 0xD2], xml: "koi8-r", "Мир"),
    Document(
      "HTTP beats XML when both are possible", [0xCC, 0xE8, 0xF0], http: "windows-1251",
      xml: "koi8-r", "Мир"),
    Document("Greek", [0xCA, 0xE1, 0xEB], xml: "iso-8859-7", "Καλ"),
    Document("Turkish", [0xFE, 0xF0, 0xFD], xml: "iso-8859-9", "şğı"),
    Document("Hebrew", [0xF9, 0xEC, 0xE5, 0xED], xml: "windows-1255", "שלום"),
    Document("Shift JIS", [0x93, 0xFA, 0x96, 0x7B], xml: "Shift_JIS", "日本"),
    Document("EUC-JP", [0xC6, 0xFC, 0xCB, 0xDC], xml: "euc-jp", "日本"),
    Document("EUC-KR", [0xC7, 0xD1, 0xB1, 0xDB], xml: "euc-kr", "한글"),
    Document("GB2312", [0xD6, 0xD0, 0xCE, 0xC4], xml: "gb2312", "中文"),
    Document("Big5", [0xA4, 0xA4, 0xA4, 0xE5], http: "big5", "中文"),
    Document("UTF-16 with a mark", utf8, mark: [0xFF, 0xFE], wide: little, "Žluťoučký – naïve"),
    Document(
      "UTF-16, big end first, with a mark", utf8, xml: "utf-16", mark: [0xFE, 0xFF], wide: big,
      "Žluťoučký – naïve"),
    Document("UTF-16 without a mark", utf8, xml: "UTF-16LE", wide: little, "Žluťoučký – naïve"),
    Document("UTF-16 that is called UTF-8", utf8, xml: "UTF-8", wide: big, "Žluťoučký – naïve"),
    Document("UTF-8 that is called UTF-16", utf8, xml: "UTF-16", "Žluťoučký – naïve"),
    // Bytes that do not fit: U+FFFD each, and what is around stays.
    Document(
      "GB2312 and a wrong byte", [0xD6, 0xD0, 0xCE, 0xC4, 0xFF, 0xD6, 0xD0], xml: "gb2312",
      "中文\u{FFFD}中"),
    Document(
      "Shift JIS and a wrong byte", [0x93, 0xFA, 0x96, 0x7B, 0xFF], xml: "shift_jis", "日本\u{FFFD}"),
    Document(
      "EUC-KR and half a character", [0xC7, 0xD1, 0xB1, 0xDB, 0xB1], http: "euc-kr", "한글\u{FFFD}"),
    Document(
      "Big5 and a pair that is no character", [0xA4, 0xA4, 0xA4, 0xE5, 0x81, 0xFE, 0xA4, 0xA4],
      xml: "big5", "中文\u{FFFD}中"),
    Document(
      "windows-1251 and a byte without a character", [0xCC, 0xE8, 0xF0, 0x98], xml: "windows-1251",
      "Мир\u{FFFD}"),
    Document(
      "windows-1253 and a byte without a character", [0xCA, 0xE1, 0xEB, 0xD2], xml: "windows-1253",
      "Καλ\u{FFFD}"),
    Document(
      "the declaration that fits beats the one with misfits", [0xED, 0xC9, 0xD2, 0xFF],
      http: "shift_jis", xml: "koi8-r", "МирЪ"),
    Document(
      "a declaration that fits nothing is wrong", [0x63, 0x61, 0x66, 0xE9], xml: "shift_jis", "café"
    ),
    // UTF-8 that is called something else.
    Document("UTF-8 that HTTP calls windows-1251", utf8, http: "windows-1251", "Žluťoučký – naïve"),
    Document("UTF-8 that XML calls Latin-2", utf8, xml: "iso-8859-2", "Žluťoučký – naïve"),
    Document("UTF-8 that XML calls KOI8-R", Array("Мир".utf8), xml: "koi8-r", "Мир"),
    Document("UTF-8 that XML calls windows-1255", Array("שלום".utf8), xml: "windows-1255", "שלום"),
    Document("UTF-8 that HTTP calls GB2312", Array("中文".utf8), http: "gb2312", "中文"),
    Document("UTF-8 that XML calls Shift JIS", Array("日本語".utf8), xml: "shift_jis", "日本語"),
    Document("UTF-8 that XML calls Big5", Array("éèàùç".utf8), xml: "big5", "éèàùç"),
    Document("two bytes in GB2312 that may be UTF-8", [0xC4, 0xA3], xml: "gb2312", "模"),
    Document("UTF-8 by another name", utf8, xml: "utf8mb4", "Žluťoučký – naïve"),
    Document(
      "ISO-2022-JP that HTTP calls UTF-8",
      [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42], http: "utf-8",
      xml: "iso-2022-jp", "日本"),
    Document(
      "ISO-2022-JP", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], xml: "iso-2022-jp", "日"),
    Document("Macintosh", [0x63, 0x61, 0x66, 0x8E], xml: "mac-roman", "café"),
    Document("Macintosh by HTTP", [0x8E, 0x80], http: "x-mac-roman", "éÄ"),
    Document("UTF-7 is never read", Array("+ADw-b+AD4-".utf8), xml: "utf-7", "+ADw-b+AD4-"),
  ]

  @Test(arguments: documents)
  func theTitleIsRead(_ document: Document) throws {
    let feed = try FeedParser.parse(
      ByteBuffer(document.bytes),
      contentType: document.http.map { "application/xml; charset=\($0)" })
    #expect(feed.items.map(\.title) == [document.read])
  }

  @Test func jsonFeedsAreUTF8WhateverHTTPSays() throws {
    let text = #"{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","title":"naïve"}]}"#
    for mark: [UInt8] in [[], [0xEF, 0xBB, 0xBF]] {
      let feed = try FeedParser.parse(
        ByteBuffer(mark + Array(text.utf8)), contentType: "application/json; charset=iso-8859-1")
      #expect(feed.items.map(\.title) == ["naïve"])
    }
  }
}
