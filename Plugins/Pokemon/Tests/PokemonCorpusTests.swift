import AggregateCore
import AggregateJSON
import AggregateTestSupport
import AggregateTransport
import Foundation
import Testing

@testable import AggregatePokemon

@Suite(.corpus("pokeapi"))
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

  /// The folders whose documents are rows of a resource; `PokemonResourceCorpusTests` and this suite
  /// compare every column of them.
  private static let documents = Set(PokemonResource.all.map(\.path))
  /// The folders of what no resource reads: `CorpusRowsTests` of the provider `file` compares their fields.
  private static let others: Set<String> = [
    "characteristic", "contest-effect", "encounters", "gender", "generation", "language",
    "location-area", "machine", "nature", "region", "stat",
  ]

  @Test func everyFolderIsInATable() throws {
    let files = SharedCorpus.files("pokeapi")
    let folders = Set(files.map { String($0.prefix { $0 != "/" }) })
    #expect(folders == Self.documents.union(Self.others).union(["lists"]))
    for path in Self.documents {
      let count = files.filter { $0.hasPrefix("\(path)/") }.count
      #expect(try Corpus.numbers(path).count == count, "\(path)")
    }
  }

  @Test(arguments: PokemonResource.all.map(\.name))
  func wholeListsAreRead(_ name: String) async throws {
    let resource = try #require(PokemonResource.named(name))
    let bytes = try Corpus.bytes("lists/\(resource.path).json")
    let results = try #require(try OtherJSON(bytes)["results"].list)
    let provider = try ProviderHarness.make(
      PokemonProvider.self, "base_url: http://h\nresource: \(name)")
    let batches = try await ProviderHarness.run(
      provider, RecordedClient([.init(body: bytes) { $0.url.path == "/\(resource.path)" }]))
    #expect(ProviderHarness.column("name", of: batches) == results.map { $0["name"].text })
    let urls = results.map { $0["url"].text.map { "http://h\($0)" } }
    #expect(urls.allSatisfy { $0?.hasPrefix("http://h/api/v2/") == true })
    #expect(ProviderHarness.column("url", of: batches) == urls)
    #expect(
      ProviderHarness.column("id", of: batches)
        == results.map { $0["url"].text.map { URL(filePath: $0).lastPathComponent } })
  }

  /// Lists that no resource asks for have the same form.
  @Test func everyListIsRead() throws {
    let lists = SharedCorpus.files("pokeapi").filter { $0.hasPrefix("lists/") }
    #expect(lists.count > 40)
    var refused: [String] = []
    for file in lists {
      let bytes = try SharedCorpus.bytes("pokeapi", file)
      let answer = PokemonAnswer(document: try JSONDocument(parsing: ByteBuffer(bytes)))
      guard let wanted = try OtherJSON(bytes)["results"].list else {
        refused.append(file)
        #expect(throws: AggregateError.self) {
          try PokemonListing(PokemonResource.all[0]).entries(of: answer)
        }
        continue
      }
      let entries = try PokemonListing(PokemonResource.all[0]).entries(of: answer)
      #expect(entries.map(\.name) == wanted.map { $0["name"].text }, "\(file)")
      #expect(entries.map(\.url) == wanted.map { $0["url"].text ?? "" }, "\(file)")
      #expect(
        entries.map { String($0.id) }
          == wanted.map { URL(filePath: $0["url"].text ?? "").lastPathComponent }, "\(file)")
    }
    // The list of the lists, and a file about the copy.
    #expect(refused == ["lists/_root.json", "lists/meta.json"])
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
