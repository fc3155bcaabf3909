import AggregateCore
import AggregateTestSupport
import AggregateTransport
import Testing

@testable import AggregatePokemon

/// What the list answers, and what becomes of it.
extension PokemonProviderTests {
  @Test func answerThatIsNoListIsExplained() async throws {
    let client = RecordedClient([.to("/pokemon", giving: #"{"hello":1}"#)])
    let error = await failure("", client)
    #expect(
      error?.message == "http://h/api/pokemon?limit=200&offset=0: the answer has no list “results”")
    #expect(
      error?.hint == "it is an object with 1 member: hello; is “base_url” a PokéAPI?")
    let text = await failure("", RecordedClient([.to("/pokemon", giving: #"{"results":"none"}"#)]))
    #expect(
      text?.message.hasSuffix("“results” is the text \"none\", where a list is expected") == true)
  }

  @Test(arguments: [
    (#"[{"name":5,"url":"/pokemon/1/"}]"#, "“results[0].name” is the number 5, where a text"),
    (#"[null]"#, "“results[0]” is null, where an object"),
    (#"[{"name":"x"}]"#, "has no address: {\"name\":\"x\"}"),
    (#"[{"name":"x","url":"/pokemon/abc/"}]"#, "has no address: "),
  ])
  func entryOfAnotherFormIsAnErrorWithTheAddress(_ results: String, _ message: String) async {
    for detail in [false, true] {
      let client = RecordedClient([
        .to("/pokemon?", giving: #"{"results":\#(results),"next":null}"#)
      ])
      let error = await failure("detail: \(detail)", client)
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
      #expect(error?.message.contains("http://h/api/pokemon?limit=200&offset=0") == true)
    }
  }

  @Test func addressesOfEntriesAreResolved() async throws {
    let urls = ["https://other/api/pokemon/7", "//cdn/pokemon/8/?x=1", "9/#top"]
    let entries = urls.map { #"{"name":"n","url":"\#($0)"}"# }.joined(separator: ",")
    let client = RecordedClient([
      .to("/pokemon?", giving: #"{"results":[\#(entries)],"next":null}"#)
    ])
    #expect(
      try await rows("", client) == [
        "7 | “n” | “https://other/api/pokemon/7”", "8 | “n” | “http://cdn/pokemon/8/?x=1”",
        "9 | “n” | “http://h/api/9/”",
      ])
  }

  /// A list whose pages say in different ways whether there is more.
  @Test(arguments: [
    (#""next":null"#, 2, 1), (#""next":"http://h/more""#, 4, 3), (#""count":4"#, 4, 2),
    (#""count":4,"next":null"#, 2, 1), ("\"x\":1", 2, 1),
  ])
  func nextOrElseTheCountSaysWhetherThereIsMore(_ member: String, _ rows: Int, _ requests: Int)
    async throws
  {
    func page(_ ids: [Int]) -> String {
      let entries = ids.map { #"{"name":"n","url":"/pokemon/\#($0)/"}"# }.joined(separator: ",")
      return "{\"results\":[\(entries)],\(member)}"
    }
    let client = RecordedClient([
      .to("offset=0", giving: page([1, 2])), .to("offset=2", giving: page([3, 4])),
      .to("offset=4", giving: page([])),
    ])
    #expect(try await self.rows("page_size: 5", client).count == rows)
    #expect(client.requests.count == requests)
  }

  @Test func nextOfAnotherFormIsAnError() async {
    let client = RecordedClient([
      .to("/pokemon?", giving: #"{"results":[{"name":"n","url":"/pokemon/1/"}],"next":5}"#)
    ])
    let error = await failure("", client)
    #expect(error?.message.contains("“next” is the number 5, where a text is expected") == true)
  }

  @Test func failingSecondListPageComesAfterTheRowsOfTheFirst() async throws {
    let page =
      #"{"next":"more","results":[{"name":"mon-1","url":"/1/"},{"name":"mon-2","url":"/2/"}]}"#
    let client = RecordedClient([
      .to("offset=0", giving: page), .to("offset=2", status: 503, giving: "gone"),
      .to("/pokemon/1", after: .milliseconds(20), giving: PokemonService.document(1)),
      .to("/pokemon/2", after: .milliseconds(40), giving: PokemonService.document(2)),
    ])
    let emitted = EmittedRows()
    let provider = try ProviderHarness.make(PokemonProvider.self, "\(base)\ndetail: true")
    let context = ProviderContext(
      source: "src", http: client, log: .silent, jobs: 8, emit: { await emitted.add($0) })
    let error = await #expect(throws: AggregateError.self) { try await provider.rows(context) }
    #expect(error?.status == 503)
    #expect(await emitted.count == 2)
  }

  @Test func listThatRepeatsItsPagesIsAnAnomalyInDetailToo() async throws {
    let page = #"{"next":"more","results":[{"name":"mon-1","url":"/1/"}]}"#
    let client = RecordedClient([.to("/pokemon?", giving: page)] + PokemonService().answers)
    let error = await failure("detail: true", client)
    #expect(error?.code == .pagination)
    #expect(error?.message.contains("pages 2 and 3 have the same rows as page 1") == true)
    #expect(client.addresses.count { $0.contains("?") } == 3)
  }

  @Test func plannedRequestsAreTheFirstOnesSent() async throws {
    for yaml in ["limit: 3", "names: [1, 2]\nlimit: 1", "limit: 0"] {
      let provider = try ProviderHarness.make(PokemonProvider.self, "\(base)\n\(yaml)")
      let client = PokemonService().client()
      let context = ProviderContext(
        source: "src", http: client, log: .silent, jobs: 1, emit: { _ in })
      let planned = try provider.plannedRequests(context).map(\.url.description)
      #expect(client.requests.isEmpty)
      try await provider.rows(context)
      #expect(planned == client.addresses)
    }
  }

  @Test func pagesOfTheListAreBounded() async throws {
    for detail in [false, true] {
      let provider = try ProviderHarness.make(
        PokemonProvider.self, "\(base)\npage_size: 2\ndetail: \(detail)")
      let batches = try await ProviderHarness.run(
        provider, PokemonService().client(), maxPages: 2)
      #expect(ProviderHarness.column("id", of: batches) == ["1", "2", "3", "4"])
    }
  }
}
