import AggregateCore
import Testing

@testable import AggregateREST

@Suite struct SampleTests {
  /// Records 1…`total`, ten to a page; the record `late` is the first with a second field.
  static func pages(_ total: Int, late: Int) -> FakeAPI {
    FakeAPI { request in
      let page = request.int("page", 1)
      let items = ((page - 1) * 10 + 1...page * 10).filter { $0 <= total }.map { id in
        id == late ? "{\"id\":\(id),\"late\":\"L\"}" : "{\"id\":\(id)}"
      }
      return .init(
        body: "{\"items\":[\(items.joined(separator: ","))],\"pages\":\((total + 9) / 10)}")
    }
  }

  static func source(_ schema: String) -> String {
    """
    {"url":"http://api.test/page","records":"$.items[*]"\(schema),
     "paginate":{"page":{"param":"page","total_pages":"$.pages"}}}
    """
  }

  static func sample(_ size: Int, _ policy: String = "extra") -> String {
    ",\"schema\":{\"sample\":\(size),\"on_new_column\":\"\(policy)\"}"
  }

  @Test(arguments: [1, 3, 8], [1, 10, 24, 25, 30, 45, 1000])
  func pagesAreReadUntilTheSampleIsWhole(_ jobs: Int, _ size: Int) async throws {
    let api = Self.pages(45, late: 25)
    let outcome = try await run(Self.source(Self.sample(size)), api, jobs: jobs)
    #expect(outcome.ids == Array(1...45))
    #expect(outcome.names == (size < 25 ? ["id", "_extra"] : ["id", "late", "_extra"]))
    #expect(outcome.texts[24][1].contains("L"))
    #expect(api.requests.count == 5)
    let strict = try await run(Self.source(Self.sample(size, "error")), api, jobs: jobs)
    #expect((strict.error?.code == .badData) == (size < 25))
  }

  @Test(arguments: [1, 8], [(45, 45, true), (130, 100, true), (130, 101, false)])
  func withoutASampleTheFirstHundredRecordsDecide(
    _ jobs: Int, _ wanted: (total: Int, late: Int, isColumn: Bool)
  ) async throws {
    let api = Self.pages(wanted.total, late: wanted.late)
    let outcome = try await run(Self.source(""), api, jobs: jobs)
    #expect(outcome.ids == Array(1...wanted.total))
    #expect(outcome.names.contains("late") == wanted.isColumn)
  }

  @Test(arguments: [(nil, true), (45, true), (21, true), (20, false), (1, false), (0, false)])
  func aRunThatWantsFewRowsDoesNotLookFurther(_ limit: Int?, _ isColumn: Bool) async throws {
    let outcome = try await run(
      Self.source(""), Self.pages(45, late: 25), rowLimit: limit)
    #expect(outcome.ids == Array(1...45))
    #expect(outcome.names.contains("late") == isColumn)
  }

  @Test(arguments: [1, 2, 8]) func partitionsAreSampledInTheirOrder(_ jobs: Int) async throws {
    let api = FakeAPI { request in
      let id = Int(request.url.path.dropFirst()) ?? 0
      return .init(body: id == 2 ? "[]" : "[{\"id\":\(id),\"f\(id)\":\(id)}]")
    }
    let source =
      "{\"url\":\"http://api.test/{k}\",\"for_each\":{\"k\":{\"range\":{\"from\":1,\"to\":6}}}"
    for (sample, names) in [
      (Self.sample(3), ["id", "f1", "f3", "f4", "_extra"]),
      (",\"schema\":{\"sample\":50}", ["id", "f1", "f3", "f4", "f5", "f6", "_extra"]),
      ("", ["id", "f1", "f3", "f4", "f5", "f6", "_extra"]),
    ] {
      let outcome = try await run(source + sample + "}", api, jobs: jobs)
      #expect(outcome.ids == [1, 3, 4, 5, 6])
      #expect(outcome.names == names)
      #expect(outcome.error == nil)
    }
  }

  @Test(arguments: [1, 8]) func rowsBeforeAFailureAreGiven(_ jobs: Int) async throws {
    let api = FakeAPI { request in
      request.url.path == "/3"
        ? .init(status: 500, body: "") : .init(body: "[{\"id\":\(request.url.path.dropFirst())}]")
    }
    let outcome = try await run(
      "{\"url\":\"http://api.test/{k}\",\"for_each\":{\"k\":[\"1\",\"2\",\"3\",\"4\"]}}", api,
      jobs: jobs)
    #expect(outcome.ids == [1, 2])
    #expect(outcome.error?.status == 500)
  }

  @Test func aRepeatedPageIsFoundAlsoWhenItsColumnsCameBefore() async throws {
    let api = FakeAPI { request in
      switch request.int("page", 1) {
      case 1, 3: .init(body: "{\"items\":[{\"id\":1},{\"id\":2}]}")
      case 2, 4: .init(body: "{\"items\":[{\"id\":3},{\"id\":4,\"x\":1}]}")
      case let page: .init(body: "{\"items\":[{\"id\":\(page),\"x\":1}]}")
      }
    }
    let outcome = try await run(Self.source(Self.sample(3)), api)
    #expect(outcome.error?.code == .pagination)
    #expect(outcome.ids == [1, 2, 3, 4])
  }

  @Test func aColumnThatATableGetsLaterIsNotLostInSilence() async throws {
    let api = FakeAPI { request in
      .init(
        headers: [("Content-Type", "text/csv")],
        body: request.url.path == "/a" ? "id\n1\n" : "id,late\n2,L\n")
    }
    func source(_ schema: String) -> String {
      "{\"url\":\"http://api.test/{k}\",\"for_each\":{\"k\":[\"a\",\"b\"]}\(schema)}"
    }
    #expect(try await run(source(""), api).names == ["id", "late"])
    #expect(try await run(source(Self.sample(1, "error")), api).error?.code == .badData)
    #expect(try await run(source(Self.sample(1, "drop")), api).texts == [["1"], ["2"]])
  }
}
