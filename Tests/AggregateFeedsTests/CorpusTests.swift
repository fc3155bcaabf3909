import AggregateCore
import AggregateFeeds
import AggregateTestSupport
import Foundation
import Testing

@Suite(.corpus("feeds"))
struct CorpusTests {
  /// What was compared and what differed.
  struct Score {
    var right = 0
    var wrong: [String] = []
    var ratio: Double { Double(right) / Double(max(1, right + wrong.count)) }

    /// Says how much is right, in the output of the tests.
    func show(_ what: String) {
      let all = right + wrong.count
      print(
        "\(what): \(right) of \(all) stated values are right, \(Double(Int(ratio * 10_000)) / 100) %"
      )
      for line in wrong { print("  \(line)") }
    }

    mutating func compare(_ what: String, _ got: String?, _ wanted: String) {
      func same(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
      if same(got ?? "") == same(wanted) {
        right += 1
      } else {
        wrong.append("\(what): got \(got ?? "nothing"), wanted \(wanted)")
      }
    }
  }

  /// The text that the title of an expectation, with markup, stands for.
  func plain(_ title: String) throws -> String {
    let escaped = title.replacingOccurrences(of: "]]>", with: "]]&gt;")
    let feed = try FeedParser.parse(
      ByteBuffer("<rss><channel><item><title><![CDATA[\(escaped)]]></title></item></channel></rss>")
    )
    return feed.items[0].title ?? ""
  }

  @Test func everyFileIsReadOrRefusedWithAReason() throws {
    var counts = [0, 0]
    for file in Corpus.files("", ["xml", "json"]) {
      do {
        _ = try FeedParser.parse(try Corpus.bytes(file))
        counts[0] += 1
      } catch let error as AggregateError {
        #expect([.badData, .limit].contains(error.code), "\(file): \(error)")
        #expect(!error.message.isEmpty)
        counts[1] += 1
      }
    }
    #expect(counts[0] > 400)
  }

  /// As many items as there are start tags of them, by a look at the text alone.
  @Test func noItemIsLost() throws {
    var counted = 0
    for file in Corpus.files("", ["xml"]) {
      guard let feed = try? FeedParser.parse(try Corpus.bytes(file)) else { continue }
      let bytes = try Corpus.bytes(file)
      let text = String(decoding: bytes.copy(0..<bytes.count), as: UTF8.self)
      // Text in UTF-16 and UTF-32, and the comments and sections that may hold anything.
      guard !text.unicodeScalars.contains("\0") else { continue }
      let bare = text.replacing(#/<!--.*?-->|<!\[CDATA\[.*?\]\]>/#.dotMatchesNewlines(), with: "")
      let tags = bare.matches(of: #/<(?:[\w]+:)?(?:item|entry)(?=[\s\/>])/#.ignoresCase()).count
      #expect(feed.items.count == tags, "\(file)")
      counted += tags
    }
    #expect(counted > 350)
  }

  @Test func dateVectors() throws {
    var score = Score()
    for vector in try #require(try Corpus.json("feedparser/date_vectors.json") as? [[String: Any]])
    {
      let input = try #require(vector["input"] as? String)
      let got = FeedDate.parse(input).flatMap { Instant(seconds: $0.microseconds / 1_000_000) }
      score.compare("“\(input)”", got?.iso8601, vector["utc"] as? String ?? "")
    }
    score.show("date vectors of feedparser")
    #expect(score.ratio >= 0.98, "\(score.wrong.joined(separator: "\n"))")
  }

  /// Files whose expectation is not what is wanted here, and why.
  static let otherwise: [String: String] = [
    "rss2.0mathml": "feedparser sorts attributes and declares a prefix; HTML is kept as it came",
    "rss2.0xlink":
      "feedparser sorts attributes and loses the end of an element; HTML is kept as it came",
    "rss2.0svgtitle": "feedparser loses the end of an element; HTML is kept as it came",
    "bozo_linenoise":
      "one byte is not UTF-8: feedparser then reads all as windows-1252, here only that byte is",
  ]

  @Test func feedparserExpectations() throws {
    var score = Score()
    let keys: [String: (FeedItem) -> String?] = [
      "title": { $0.title }, "link": { $0.url }, "id": { $0.id }, "guid": { $0.id },
      "description": { $0.description ?? $0.content }, "summary": { $0.description ?? $0.content },
      "author": { $0.author },
      "category": { $0.categories.first },
    ]
    let feedKeys: [String: (Feed) -> String?] = [
      "title": { $0.title }, "link": { $0.url }, "subtitle": { $0.description },
      "description": { $0.description }, "tagline": { $0.description },
    ]
    let pattern = try NSRegularExpression(
      pattern:
        #"(feed|entries\[(\d+)\])(?:\['(\w+)'\]|\.(\w+)) == ("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"#)
    for entry in try #require(try Corpus.json("feedparser/expectations.json") as? [[String: Any]]) {
      let file = try #require(entry["file"] as? String)
      let expectation = try #require(entry["expect"] as? String)
      if Self.otherwise.keys.contains(where: { file.hasSuffix("/\($0).xml") }) { continue }
      let headers = entry["http_headers"] as? [String] ?? []
      func header(_ name: String) -> String? {
        headers.first { $0.lowercased().hasPrefix(name + ":") }.map {
          String($0.dropFirst(name.count + 1)).trimmingCharacters(in: .whitespaces)
        }
      }
      let address = WebURL("http://127.0.0.1:8097/\(file)")
      let feed: Feed
      do {
        feed = try FeedParser.parse(
          try Corpus.bytes(file), contentType: header("content-type"),
          url: header("content-location").flatMap { address?.resolving($0) } ?? address)
      } catch {
        if expectation.contains("entries[") || expectation.contains("feed[") {
          score.wrong.append("\(file): \(error)")
        }
        continue
      }
      let range = NSRange(expectation.startIndex..., in: expectation)
      for match in pattern.matches(in: expectation, range: range) {
        func group(_ i: Int) -> String? {
          Range(match.range(at: i), in: expectation).map { String(expectation[$0]) }
        }
        let wanted = unescaped(String(try #require(group(5)).dropFirst().dropLast()))
        let key = try #require(group(3) ?? group(4))
        let what = "\(file) \(group(1) ?? "")[\(key)]"
        if let index = group(2).flatMap({ Int($0) }) {
          guard let value = keys[key] else { continue }
          guard index < feed.items.count else {
            score.wrong.append("\(what): no such item")
            continue
          }
          let got = value(feed.items[index])
          score.compare(
            what, got.map { wanted.hasPrefix("<svg") ? sorted($0) : $0 },
            key == "title" ? try plain(wanted) : wanted)
        } else if let value = feedKeys[key] {
          score.compare(what, value(feed), key == "title" ? try plain(wanted) : wanted)
        }
      }
      try comparePeople(expectation, feed, file, &score)
      if expectation.contains("not entries[0].has_key('link')") {
        score.compare("\(file) has no link", feed.items.first?.url ?? "none", "none")
      }
      if let code = expectation.firstMatch(of: #/ord\(entries\[0\]\['description'\]\) == (\d+)/#),
        let scalar = UInt32(code.1).flatMap(Unicode.Scalar.init)
      {
        score.compare("\(file) description", feed.items.first?.description, String(scalar))
      }
      if let wanted = expectation.firstMatch(
        of: #/content'\]\[0\]\['value'\] == (?:"([^"]*)"|'([^']*)')/#)
      {
        score.compare(
          "\(file) content", feed.items.first?.content,
          unescaped(String(wanted.1 ?? wanted.2 ?? "")))
      }
      if let wanted = expectation.firstMatch(
        of:
          #/entries\[0\]\['(updated|published|created|issued|date)_parsed'\] == \((\d+), (\d+), (\d+), (\d+), (\d+), (\d+)/#
      ) {
        let parts = [wanted.2, wanted.3, wanted.4, wanted.5, wanted.6, wanted.7]
          .compactMap { Int($0) }
        let text = String(
          format: "%04d-%02d-%02dT%02d:%02d:%02dZ", parts[0], parts[1], parts[2], parts[3],
          parts[4], parts[5])
        score.compare("\(file) date", feed.items.first?.publishedAt?.iso8601, text)
      }
    }
    score.show("feedparser's files")
    #expect(score.ratio >= 0.99, "\(score.wrong.joined(separator: "\n"))")
  }

  /// Authors and categories of items that are stated one by one.
  private func comparePeople(
    _ expectation: String, _ feed: Feed, _ file: String, _ score: inout Score
  ) throws {
    let stated = expectation.matches(
      of: #/entries\[0\]\['(authors|tags)'\]\[(\d)\]\['(name|term)'\] == '([^']*)'/#)
    for match in stated {
      let found =
        match.1 == "tags"
        ? feed.items.first?.categories ?? []
        : (feed.items.first?.author ?? "").components(separatedBy: ", ")
      let index = try #require(Int(match.2))
      score.compare(
        "\(file) \(match.1)[\(index)]", index < found.count ? found[index] : nil, String(match.4))
    }
    if let name = expectation.firstMatch(
      of: #/entries\[0\]\['author_detail'\]\['name'\] == '([^']*)'/#)
    {
      score.compare("\(file) author", feed.items.first?.author, String(name.1))
    }
  }

  /// HTML with the attributes of each tag in alphabetical order, as feedparser writes them.
  private func sorted(_ html: String) -> String {
    html.replacing(#/<(\w+)((?: [\w:]+="[^"]*")+)/#) { match in
      let attributes = match.2.matches(of: #/ [\w:]+="[^"]*"/#).map { String($0.0) }
      return "<\(match.1)\(attributes.sorted().joined())"
    }
  }

  private func unescaped(_ text: String) -> String {
    var out = ""
    var rest = text[...]
    while let mark = rest.firstIndex(of: "\\") {
      out += rest[..<mark]
      let tail = rest[rest.index(after: mark)...]
      let kind = tail.first
      let digits = tail.dropFirst().prefix(kind == "u" ? 4 : 2)
      if kind == "u" || kind == "x", let value = UInt32(digits, radix: 16),
        let scalar = Unicode.Scalar(value)
      {
        out.unicodeScalars.append(scalar)
        rest = tail[digits.endIndex...]
      } else {
        if kind == "n" { out += "\n" } else if let kind { out.append(kind) }
        rest = tail.dropFirst()
      }
    }
    return out + rest
  }

  @Test func gofeedExpectations() throws {
    var score = Score()
    for folder in ["gofeed/rss", "gofeed/atom"] {
      for file in Corpus.files(folder, ["xml"]) {
        let wanted = try #require(
          try Corpus.json(String(file.dropLast(3)) + "json") as? [String: Any])
        let feed: Feed
        do {
          feed = try FeedParser.parse(
            try Corpus.bytes(file),
            url: wanted["baseURL"].flatMap { $0 as? String }.flatMap { WebURL($0) })
        } catch {
          score.wrong.append("\(file): \(error)")
          continue
        }
        if let title = wanted["title"] as? String {
          score.compare("\(file) title", feed.title, try plain(title))
        }
        if let text = (wanted["description"] ?? wanted["subtitle"]) as? String {
          score.compare("\(file) description", feed.description, text)
        }
        if let links = wanted["links"] as? [String], wanted["link"] != nil {
          score.compare(
            "\(file) link", feed.url.map { links.contains($0) ? "listed" : $0 }, "listed")
        }
        if let url = (wanted["image"] as? [String: Any])?["url"] as? String {
          score.compare("\(file) image", feed.imageURL, url)
        }
        let items = (wanted["items"] ?? wanted["entries"]) as? [[String: Any]] ?? []
        if items.count != feed.items.count {
          score.wrong.append("\(file): \(feed.items.count) items, wanted \(items.count)")
        }
        for (item, got) in zip(items, feed.items) {
          let what = file
          if let text = item["title"] as? String {
            score.compare("\(what) title", got.title, try plain(text))
          }
          if let text = (item["description"] ?? item["summary"]) as? String {
            score.compare("\(what) description", got.description, text)
          }
          if let text = (item["content"] as? String) ?? (item["content"] as? [String: Any])?[
            "value"] as? String
          {
            score.compare("\(what) content", got.content, text)
          }
          if let links = item["links"] as? [String] {
            score.compare(
              "\(what) link", got.url.map { links.contains($0) ? "listed" : $0 }, "listed")
          }
          if let guid = (item["guid"] as? [String: Any])?["value"] as? String ?? item["id"]
            as? String
          {
            score.compare("\(what) id", got.id, guid)
          }
          if let date = (item["pubDateParsed"] ?? item["publishedParsed"] ?? item["updatedParsed"])
            as? String
          {
            score.compare("\(what) date", got.publishedAt?.iso8601, date)
          }
          if let author = item["author"] as? String ?? (item["authors"] as? [[String: Any]])?[0][
            "name"]
            as? String
          {
            let isIn = author.contains(got.author ?? "nobody")
            score.compare("\(what) author", isIn ? "\(author)" : got.author, author)
          }
          if let categories = item["categories"] as? [[String: Any]] {
            let names = categories.compactMap { ($0["value"] ?? $0["term"]) as? String }
            score.compare(
              "\(what) categories", got.categories.joined(separator: "|"),
              try names.map(plain).joined(separator: "|"))
          }
        }
      }
    }
    score.show("gofeed's files")
    #expect(score.ratio >= 0.99, "\(score.wrong.joined(separator: "\n"))")
  }

  @Test func jsonFeedsAreWhatAnotherReaderSees() throws {
    var score = Score()
    for file in Corpus.files("", ["json"]) {
      let bytes = try Corpus.bytes(file)
      guard let root = try? OtherJSON(bytes.copy(0..<bytes.count)),
        root["version"].text?.contains("jsonfeed.org") == true
      else { continue }
      let feed = try FeedParser.parse(bytes)
      let items = root["items"].list ?? []
      score.compare("\(file) items", "\(feed.items.count)", "\(items.count)")
      let feedValues = [
        ("title", feed.title), ("home_page_url", feed.url), ("description", feed.description),
      ]
      for (key, got) in feedValues {
        if let wanted = root[key].text {
          score.compare("\(file) \(key)", got, try stated(wanted, key))
        }
      }
      for (item, got) in zip(items, feed.items) {
        let values: [([String], String?)] = [
          (["id"], got.id), (["title"], got.title), (["url", "external_url"], got.url),
          (["summary"], got.description), (["content_html", "content_text"], got.content),
          (["image", "banner_image"], got.imageURL),
          (["date_published", "date_modified"], got.publishedAt?.iso8601),
        ]
        for (keys, value) in values {
          guard let text = item.first(keys).text, !text.isEmpty else { continue }
          let wanted = try stated(text, keys[0])
          score.compare("\(file) \(keys[0])", value, wanted)
        }
        let people = item["authors"].list ?? [item["author"]]
        let names = people.compactMap { $0["name"].text }.filter { !$0.isEmpty }
        if !names.isEmpty {
          score.compare("\(file) author", got.author, names.joined(separator: ", "))
        }
        let tags = item["tags"].list?.compactMap(\.text) ?? []
        score.compare(
          "\(file) tags", got.categories.joined(separator: "|"), tags.joined(separator: "|"))
      }
    }
    score.show("JSON feeds of all suites")
    #expect(score.ratio >= 0.99, "\(score.wrong.joined(separator: "\n"))")
    #expect(score.right > 30)
  }

  /// What a value of a JSON feed stands for: titles are plain text, dates are UTC.
  private func stated(_ text: String, _ key: String) throws -> String {
    if key == "title" { return try plain(text) }
    guard key.hasPrefix("date_"), let date = try? Date(text, strategy: .iso8601) else {
      return text
    }
    return date.formatted(.iso8601)
  }
}
