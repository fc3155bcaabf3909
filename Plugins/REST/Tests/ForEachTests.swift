import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateREST

@Suite struct ForEachTests {
  /// Answers each request with a record that tells its path.
  private let api = FakeAPI { request in
    .init(body: "[{\"path\":\"\(request.url.path)\"}]")
  }

  private func source(_ forEach: String, url: String = "http://api.test/{id}") -> String {
    "{\"url\":\"\(url)\",\"for_each\":\(forEach),"
      + "\"columns\":{\"title\":\"{title}\",\"path\":\"$.path\"}}"
  }

  private func parents(titled name: String) -> [String: Batch] {
    var builder = BatchBuilder(schema: Schema([ColumnSpec("id", .int), ColumnSpec(name, .text)]))
    let rows: [(Int?, String?)] = [(1, "One"), (2, nil), (nil, "Three"), (4, "Four")]
    for (id, title) in rows {
      builder.append(id)
      builder.append(title)
      builder.endRow()
    }
    return ["posts": builder.finish()]
  }

  @Test(arguments: [1, 4], ["[\"title\"]", "{\"title\":\"name\"}"])
  func furtherColumnsComeFromTheSameRow(_ jobs: Int, _ with: String) async throws {
    let parents = parents(titled: with.hasPrefix("{") ? "name" : "title")
    let outcome = try await run(
      source("{\"id\":{\"source\":\"posts\",\"column\":\"id\",\"with\":\(with)}}"), api,
      jobs: jobs, parents: parents)
    #expect(outcome.error == nil)
    #expect(outcome.texts == [["One", "/1"], ["", "/2"], ["Four", "/4"]])
  }

  @Test func aValueOfAListMayGiveSeveralNames() async throws {
    let list = "[{\"id\":\"a\",\"title\":\"A\"},{\"id\":\"b\",\"title\":\"B\"}]"
    for forEach in ["{\"id\":\(list)}", "{\"id\":{\"list\":\(list)}}"] {
      let outcome = try await run(source(forEach), api)
      #expect(outcome.texts == [["A", "/a"], ["B", "/b"]])
    }
  }

  @Test func valuesOfSeveralKeysAreCombined() async throws {
    let outcome = try await run(
      source(
        "{\"id\":[{\"id\":\"a\",\"title\":\"A\"},{\"id\":\"b\",\"title\":\"B\"}],\"n\":[1,2]}",
        url: "http://api.test/{id}/{n}"), api)
    #expect(outcome.texts.map { $0.joined() } == ["A/a/1", "A/a/2", "B/b/1", "B/b/2"])
  }

  @Test(arguments: [
    ("{\"id\":[{\"title\":\"A\"}]}", "has no “id”"),
    ("{\"id\":{\"list\":[1],\"with\":[\"title\"]}}", "names columns of a source"),
    (
      "{\"id\":{\"source\":\"posts\",\"column\":\"id\",\"with\":[\"title\"],\"batch\":2}}",
      "one value of “title” stands for many"
    ),
    ("{\"id\":[1,2]}", "“{title}”"),
  ])
  func whatCanNotBeIsToldBefore(_ forEach: String, _ wanted: String) throws {
    var diagnostics = Diagnostics()
    _ = try provider(source(forEach), &diagnostics)
    #expect(
      diagnostics.all.contains { $0.message.contains(wanted) }, "\(diagnostics.all.map(\.message))")
  }

  @Test func aShardHasWhatComesAlong() async throws {
    var diagnostics = Diagnostics()
    let json = source(
      "{\"id\":{\"source\":\"posts\",\"column\":\"id\",\"with\":{\"title\":\"name\"}}}")
    let made = try provider(json, &diagnostics)
    let parents = self.parents(titled: "name")
    let context = ProviderContext(
      source: "items", http: api, log: .silent, jobs: 1, parameters: [:],
      publish: { _ in .all },
      openSource: { name, body in if let batch = parents[name] { try await body(batch) } },
      emit: { _ in })
    let shards = try await made.shards(2, context)
    #expect(
      shards.map { $0.settings.map(\.json) } == [
        ["{\"id\":[{\"id\":\"1\",\"title\":\"One\"}]}"],
        ["{\"id\":[\"2\",{\"id\":\"4\",\"title\":\"Four\"}]}"],
      ])
  }
}
