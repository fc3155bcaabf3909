import AggregateConfig
import AggregateCore
import Testing

@testable import AggregateRun

@Suite struct ShardRunTests {
  /// The rows of the shards of a source, joined as `run --shard` joins them.
  private func joined(_ sandbox: Sandbox, _ name: String, _ count: Int) async throws -> String {
    let configuration = try sandbox.configuration()
    let session = try RunSession(
      sandbox.context(replay: "run.har"), configuration: configuration)
    let declaration = try #require(configuration.source(name))
    let shards = try await session.shards(declaration, count: count)
    #expect(shards.count <= count)
    var parts: [RowSource] = []
    for (index, shard) in shards.enumerated() {
      let text = ShardLine(source: name, shard: shard).text(number: index + 1, of: shards.count)
      let line = try ShardLine(text[...], at: "line")
      #expect(line.source == name)
      let (changed, diagnostics) = sandbox.loader.overriding(
        line.shard.settings.map { (key: $0.name, value: $0.json) }, sources: [name],
        in: configuration)
      try diagnostics.throwIfErrors()
      parts.append(try session.source(try #require(changed.source(name))))
    }
    return try await Sandbox.csv(session, .joined(name, parts, runner: session.runner))
  }

  @Test(arguments: [1, 2, 3, 7, 100]) func partsTogetherAreTheSource(count: Int) async throws {
    let keys = ["a b", "c\"d", "é", "1", "02", "null", "x,y"]
    let answers = keys.enumerated().flatMap { index, key in
      ["p", "q"].map { kind in
        (
          url: "http://host/\(kind)/\(WebURL.encoded(key))",
          body: "[{\"key\":\(EscapedText.quoted(key)),\"kind\":\"\(kind)\",\"n\":\(index)}]"
        )
      }
    }
    let yaml = """
      version: 1
      sources:
        items:
          provider: rest
          url: http://host/{kind}/{key}
          for_each:
            key: {file: "@DIR@/keys.txt"}
            kind: [p, q]
          records: $[*]
        files: {provider: file, path: "@DIR@/part*.csv"}
      """
    let sandbox = try Sandbox(
      yaml,
      files: [
        "keys.txt": keys.joined(separator: "\n"), "run.har": try recording(answers),
        "part1.csv": "id,a\n1,x\n2,y\n", "part2.csv": "id,b\n3,z\n", "part3.csv": "id\n4\n",
      ])
    for name in ["items", "files"] {
      let whole = try await sandbox.csv([name], replay: "run.har")
      #expect(whole.split(separator: "\n").count == (name == "items" ? 15 : 5))
      #expect(try await joined(sandbox, name, count) == whole)
    }
  }

  @Test func sourcesWithoutPartsAreOne() async throws {
    let sandbox = try Sandbox(
      "version: 1\nsources:\n  items: {provider: rest, url: http://host/x, records: '$[*]'}\n",
      files: ["run.har": try recording([("http://host/x", "[{\"id\":1}]")])])
    #expect(try await joined(sandbox, "items", 5) == "id\n1\n")
  }

  @Test func rangesCoverListsOfPokemon() async throws {
    let sandbox = try Sandbox(
      """
      version: 1
      sources:
        some: {provider: pokemon, limit: 10, offset: 5}
        all: {provider: pokemon}
        named: {provider: pokemon, detail: true, names: [a, b, c]}
      """,
      files: [
        "run.har": try recording([
          ("https://pokeapi.co/api/v2/pokemon?limit=200&offset=0", "{\"count\":5,\"results\":[]}")
        ])
      ])
    let configuration = try sandbox.configuration()
    let session = try RunSession(
      sandbox.context(replay: "run.har"), configuration: configuration)
    func shards(_ name: String, _ count: Int) async throws -> [[String]] {
      try await session.shards(try #require(configuration.source(name)), count: count)
        .map { $0.settings.map { "\($0.name)=\($0.json)" } }
    }
    #expect(
      try await shards("some", 3) == [
        ["offset=5", "limit=4"], ["offset=9", "limit=3"], ["offset=12", "limit=3"],
      ])
    #expect(try await shards("all", 2) == [["offset=0", "limit=3"], ["offset=3", "limit=2"]])
    #expect(try await shards("named", 2) == [["names=[\"a\"]"], ["names=[\"b\",\"c\"]"]])
  }

  @Test(arguments: [
    "", "[]", "{\"source\":1,\"set\":{}}", "{\"source\":\"a\"}", "{\"source\":\"a\",\"set\":[]}",
  ])
  func otherLinesAreRefused(text: String) {
    #expect(throws: AggregateError.self) { try ShardLine(text[...], at: "line") }
  }

  @Test func escapesOfOtherProgramsAreRead() throws {
    let line = try ShardLine(
      "{\"source\":\"s\",\"set\":{\"names\":[\"\\ud83d\\ude00\\/\"],\"limit\":5}}", at: "line")
    #expect(
      line.shard.settings == [
        Shard.Setting("names", json: "[\"😀/\"]"), Shard.Setting("limit", json: "5"),
      ])
  }
}
