import AggregateCore
import AggregateTestSupport
import AggregateTransport
import Foundation
import Testing

@testable import AggregatePokemon

@Suite(.enabled(if: Corpus.folder != nil, "the corpus is not here"))
struct PokemonCorpusTests {
  private func answers(_ numbers: [Int]) throws -> [RecordedClient.Answer] {
    try numbers.map { number in
      let bytes = try Corpus.bytes("pokemon/\(number).json")
      return RecordedClient.Answer(body: bytes) { $0.url.path.hasSuffix("/pokemon/\(number)") }
    }
  }

  @Test func everyDocumentGivesTheRowThatAnotherReaderSees() async throws {
    let numbers = try Corpus.numbers("pokemon")
    let names = numbers.map(String.init).joined(separator: ", ")
    let provider = try ProviderHarness.make(
      PokemonProvider.self, "base_url: http://h\ndetail: true\nnames: [\(names)]")
    let batches = try await ProviderHarness.run(provider, RecordedClient(answers(numbers)))
    let schema = try #require(provider.schema)
    var rows: [[String?]] = []
    for batch in batches {
      for row in 0..<batch.rowCount {
        rows.append(batch.row(row).map { $0.isNull ? nil : $0.displayText })
      }
    }
    try #require(rows.count == numbers.count)
    #expect(rows.count > 200)
    for (number, row) in zip(numbers, rows) {
      let object = try JSONSerialization.jsonObject(
        with: Data(Corpus.bytes("pokemon/\(number).json")))
      let document = try #require(object as? [String: Any])
      let expected = Self.expected(document, number)
      for (column, value) in zip(schema.names, row) {
        #expect(value == expected[column] ?? nil, "\(column) of \(number)")
      }
    }
  }

  @Test func rowsAreTheSameOverSocketsWithOneJobAndSixteen() async throws {
    let numbers = Array(try Corpus.numbers("pokemon").prefix(40))
    let server = try FixtureServer.start { request in
      let path = request.path.split(separator: "/").map(String.init)
      if path.count == 3 {
        guard let bytes = try? Corpus.bytes("pokemon/\(path[2]).json"), !bytes.isEmpty else {
          return .json("{}", status: 404)
        }
        return FixtureServer.Response(200, bytes).after(.milliseconds(3 * (7 - request.index % 8)))
      }
      let offset = Int(request.query("offset") ?? "") ?? 0
      let limit = Int(request.query("limit") ?? "") ?? 0
      let page = numbers.dropFirst(offset).prefix(limit)
      let entries = page.map { #"{"name":"n","url":"/api/pokemon/\#($0)/"}"# }
      let next = offset + limit < numbers.count ? #""more""# : "null"
      return .json(#"{"next":\#(next),"results":[\#(entries.joined(separator: ","))]}"#)
    }
    defer { server.stop() }
    var outputs: [[String]] = []
    for jobs in [1, 16] {
      let provider = try ProviderHarness.make(
        PokemonProvider.self, "base_url: \(server.baseURL)/api\ndetail: true\npage_size: 15")
      let transport = HTTPTransport(
        source: "src", wire: CurlEngine(userAgent: "aggregate/test"), policy: RequestPolicy(),
        slots: RequestSlots(jobs), log: .silent, redactor: Redactor())
      outputs.append(try await ProviderHarness.rows(provider, transport, jobs: jobs))
    }
    #expect(outputs[0].count == 40)
    #expect(outputs[0] == outputs[1])
    #expect(server.requests.count == 2 * (40 + 3))
    #expect(server.mostUnderWay > 1)
  }

  @Test(arguments: ["pokemon", "pokemon-species", "ability", "move", "berry", "item", "type"])
  func wholeListsAreRead(_ resource: String) async throws {
    let bytes = try Corpus.bytes("lists/\(resource).json")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let results = try #require(object["results"] as? [[String: Any]])
    let name = resource == "pokemon-species" ? "species" : resource
    let provider = try ProviderHarness.make(
      PokemonProvider.self, "base_url: http://h\nresource: \(name)")
    let batches = try await ProviderHarness.run(
      provider, RecordedClient([.init(body: bytes) { $0.url.path == "/\(resource)" }]))
    #expect(ProviderHarness.column("name", of: batches) == results.map { $0["name"] as? String })
    #expect(ProviderHarness.column("url", of: batches) == results.map { $0["url"] as? String })
  }

  /// The row by column, read from Foundation's view of the document.
  private static func expected(_ document: [String: Any], _ number: Int) -> [String: String?] {
    func names(_ list: String, _ key: String) -> String? {
      guard let list = document[list] as? [[String: Any]] else { return nil }
      let names = list.compactMap { ($0[key] as? [String: Any])?["name"] as? String }
      return "[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }
    func tenth(_ key: String) -> String? {
      (document[key] as? Int).map { value in
        value % 10 == 0 ? "\(value / 10)" : "\(value / 10).\(value % 10)"
      }
    }
    var row: [String: String?] = [
      "id": "\(number)", "name": document["name"] as? String, "height_m": tenth("height"),
      "weight_kg": tenth("weight"),
      "base_experience": (document["base_experience"] as? Int).map(String.init),
      "types": names("types", "type"), "abilities": names("abilities", "ability"),
      "sprite": (document["sprites"] as? [String: Any])?["front_default"] as? String,
      "url": "http://h/pokemon/\(number)/",
    ]
    for stat in document["stats"] as? [[String: Any]] ?? [] {
      guard let name = (stat["stat"] as? [String: Any])?["name"] as? String else { continue }
      row[name.replacingOccurrences(of: "-", with: "_")] = (stat["base_stat"] as? Int).map(
        String.init)
    }
    return row
  }
}
