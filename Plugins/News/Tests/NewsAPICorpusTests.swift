import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateNews

/// Saved pages of NewsAPI, read once more by another path.
@Suite(.corpus("newsapi"))
struct NewsAPICorpusTests {
  /// What every file is, by the beginning of its path.
  private static let table: [(path: String, columns: [String: [String]])] = [
    ("top-headlines/", articles), ("everything/", articles), ("sources/", publications),
    // `NewsAPITests` and `ErrorBodiesTests` have these.
    ("errors/", [:]),
  ]

  /// Columns, and the paths of their values in an article.
  private static let articles: [String: [String]] = [
    "title": ["title"], "description": ["description"], "author": ["author"],
    "publisher": ["source.name"], "url": ["url"], "published_at": ["publishedAt"],
    "image_url": ["urlToImage"], "content": ["content"],
  ]
  private static let publications: [String: [String]] = [
    "title": ["name"], "description": ["description"], "publisher": ["id", "name"], "url": ["url"],
  ]

  private static let answers = SharedCorpus.answers("newsapi")

  @Test func everyFileIsInTheTable() {
    for answer in Self.answers {
      #expect(Self.table.contains { answer.path.hasPrefix($0.path) }, "\(answer.path)")
    }
    for (path, _) in Self.table { #expect(Self.answers.contains { $0.path.hasPrefix(path) }) }
  }

  @Test(arguments: answers.filter { !$0.path.hasPrefix("errors/") })
  func everyColumnIsTheOneThatAnotherReaderSees(_ answer: SharedCorpus.Answer) throws {
    let paths = try #require(Self.table.first { answer.path.hasPrefix($0.path) }).columns
    let response = HTTPResponse(
      status: 200, headers: [], body: ByteBuffer(answer.body),
      url: try #require(WebURL("http://h/v2")), fetchedAt: Instant(microseconds: 0))
    let mapper = NewsAPIRowMapper(keepsRemoved: true)
    let batch = try mapper.batch(of: NewsAPIDecoder().decode(response).entries[...], .silent)
    let root = try OtherJSON(answer.body)
    let wanted = try #require(root["articles"].list ?? root["sources"].list)
    try #require(batch.rowCount == wanted.count)
    for (row, entry) in wanted.enumerated() {
      let place = "row \(row) of \(answer.path)"
      for (name, value) in zip(batch.schema.names, batch.row(row)) {
        let shown = value.isNull ? nil : value.displayText
        let text = paths[name].flatMap { Self.text(entry.first($0)) }
        switch name {
        case "service": #expect(shown == "newsapi")
        case "guid": #expect(shown == entry["id"].text)
        case "feed": #expect(shown == nil)
        case "categories":
          #expect(shown == entry["category"].text.map { "[\"\($0)\"]" }, "\(name) of \(place)")
        case "language", "country": #expect(shown == entry[name].text, "\(name) of \(place)")
        case "title":
          #expect(shown == text?.trimmingCharacters(in: .whitespaces), "\(name) of \(place)")
        case "carried_by":
          let carriers = try OtherJSON(Array((shown ?? "").utf8)).list?.map(\.text)
          #expect(
            carriers == [paths["publisher"].flatMap { Self.text(entry.first($0)) } ?? "newsapi"])
        case "published_at":
          // 100 nanoseconds are more than an instant holds.
          #expect(shown?.prefix(19) == text?.prefix(19), "\(name) of \(place)")
          #expect(Self.fraction(shown) == Self.fraction(text), "\(name) of \(place)")
        case "content" where !paths.keys.contains("content"):
          let facts = ["category", "language", "country"].compactMap { entry[$0].text }
          #expect(shown == facts.joined(separator: ", "), "\(name) of \(place)")
        default: #expect(shown == text, "\(name) of \(place)")
        }
      }
    }
  }

  /// Line ends are line feeds; what is only space is nothing.
  private static func text(_ value: OtherJSON) -> String? {
    guard
      let text = value.text?.replacingOccurrences(of: "\r\n", with: "\n")
        .replacingOccurrences(of: "\r", with: "\n")
    else { return nil }
    return text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty ? nil : text
  }

  /// Millionths of the second.
  private static func fraction(_ time: String?) -> Int {
    guard let time, time.hasSuffix("Z"), let point = time.firstIndex(of: ".") else { return 0 }
    let digits = time[time.index(after: point)...].dropLast().prefix(6)
    return Int(digits.padding(toLength: 6, withPad: "0", startingAt: 0)) ?? -1
  }
}
