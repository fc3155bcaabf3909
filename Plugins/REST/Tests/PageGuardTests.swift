import AggregateCore
import Synchronization
import Testing

@testable import AggregateREST

@Suite struct PageGuardTests {
  static let page = "{\"page\":{\"param\":\"page\"}}"
  static let next = "{\"next_url\":{\"from\":\"$.next\"}}"
  static let cursor = "{\"cursor\":{\"param\":\"after\",\"from\":\"$.next\"}}"

  @Test(arguments: [1, 8]) func anIgnoredPageNumberIsAnAnomaly(_ jobs: Int) async throws {
    let counter = Mutex(0)
    let api = FakeAPI { _ in
      let serial = counter.withLock {
        $0 += 1; return $0
      }
      return .init(body: "{\"items\":\(records(1, 10)),\"serial\":\(serial)}")
    }
    let outcome = try await run(PagingTests.source(Self.page), api, jobs: jobs)
    #expect(outcome.error?.code == .pagination)
    #expect(outcome.error?.source == "items")
    #expect(outcome.ids == Array(1...10))
    #expect(api.requests.count == 3)
  }

  @Test func aRepeatedLastPageIsTheEnd() async throws {
    let api = FakeAPI { request in .init(body: pageBody(min(request.int("page", 1), 2), 10, 20)) }
    let outcome = try await run(PagingTests.source(Self.page), api)
    #expect(outcome.error == nil)
    #expect(outcome.ids == Array(1...20))
    #expect(outcome.warnings.count == 1)
    #expect(api.requests.count == 4)
  }

  @Test func aLinkToThePageItselfIsTheEnd() async throws {
    let api = FakeAPI { request in
      let offset = request.int("offset", 0)
      return .init(
        body:
          "{\"items\":\(records(offset + 1, offset + 10)),\"next\":\"?offset=\(min(offset + 10, 10))\"}"
      )
    }
    let outcome = try await run(PagingTests.source(Self.next), api)
    #expect(outcome.error == nil)
    #expect(outcome.ids == Array(1...20))
    #expect(outcome.warnings.count == 1)
    #expect(api.requests.count == 3)
  }

  @Test func aTokenSeenBeforeIsAnAnomaly() async throws {
    let api = FakeAPI { request in
      let token = request.query("after")
      let first = token == "A" ? 11 : token == "B" ? 21 : 1
      return .init(
        body: "{\"items\":\(records(first, first + 9)),\"next\":\"\(token == "A" ? "B" : "A")\"}")
    }
    let outcome = try await run(PagingTests.source(Self.cursor), api)
    #expect(outcome.error?.code == .pagination)
    #expect(outcome.ids == Array(1...30))
    #expect(api.requests.count == 3)
  }

  @Test func aCircleOfAddressesIsAnAnomaly() async throws {
    let api = FakeAPI { request in
      let at = request.int("at", 0)
      return .init(
        body: "{\"items\":\(records(at * 10 + 1, at * 10 + 10)),\"next\":\"?at=\((at + 1) % 3)\"}")
    }
    let outcome = try await run(PagingTests.source(Self.next), api)
    #expect(outcome.error?.code == .pagination)
    // The first page is asked for by another address than the one that leads back to it.
    #expect(outcome.ids == Array(1...30) + Array(1...10))
    #expect(api.requests.count <= 5)
  }

  @Test func newTokensWithTheSameRowsAreProgress() async throws {
    let counter = Mutex(0)
    let api = FakeAPI { _ in
      let token = counter.withLock {
        $0 += 1; return $0
      }
      return .init(
        body: "{\"items\":\(records(1, 10)),\"next\":\(token < 3 ? "\"t\(token)\"" : "null")}")
    }
    let outcome = try await run(PagingTests.source(Self.cursor), api)
    #expect(outcome.error == nil)
    #expect(outcome.ids.count == 30)
  }

  @Test func honestPagesWithFewValuesAreNoAnomaly() async throws {
    let api = FakeAPI { request in
      let page = request.int("page", 1)
      let items = page > 3 ? "[]" : "[{\"id\":1,\"n\":\(page)},{\"id\":1,\"n\":\(page + 10)}]"
      return .init(body: "{\"items\":\(items)}")
    }
    let outcome = try await run(PagingTests.source(Self.page), api)
    #expect(outcome.error == nil)
    #expect(outcome.ids == [1, 1, 1, 1, 1, 1])
  }

  @Test func endlessEmptyPagesEnd() async throws {
    let counter = Mutex(0)
    let api = FakeAPI { _ in
      let token = counter.withLock {
        $0 += 1; return $0
      }
      return .init(body: "{\"items\":[],\"next\":\"t\(token)\"}")
    }
    let outcome = try await run(PagingTests.source(Self.cursor), api)
    #expect(outcome.error?.code == .pagination)
    #expect(api.requests.count <= PageGuard.maximumEmptyPages + 1)
  }

  @Test(arguments: [
    "http://other.test/next", "https://api.test/next", "http://api.test:81/x",
    "file:///etc/hostname", "17",
  ])
  func otherPlacesAreRefused(_ target: String) async throws {
    let next = target == "17" ? "17" : "\"\(target)\""
    let api = FakeAPI { _ in .init(body: "{\"items\":\(records(1, 2)),\"next\":\(next)}") }
    let outcome = try await run(PagingTests.source(Self.next), api)
    #expect(outcome.error?.code == .pagination)
    #expect(outcome.ids == [1, 2])
    #expect(api.requests.count == 1)
  }

  @Test func anAllowedHostGetsNoCredentials() async throws {
    let api = FakeAPI { request in
      request.url.host == "other.test"
        ? .init(body: "{\"items\":\(records(3, 4))}")
        : .init(body: "{\"items\":\(records(1, 2)),\"next\":\"http://other.test/x\"}")
    }
    let outcome = try await run(
      PagingTests.source(
        Self.next,
        ",\"allow_hosts\":[\"other.test\"],\"auth\":{\"bearer\":\"t0ken\"},\"headers\":{\"Authorization\":\"x\",\"X-A\":\"y\"}"
      ), api)
    #expect(outcome.ids == [1, 2, 3, 4])
    #expect(api.requests[0].credentials == [.header(name: "Authorization", value: "Bearer t0ken")])
    #expect(api.requests[1].credentials.isEmpty)
    #expect(api.requests[1].headers.map(\.name) == ["X-A"])
  }

  @Test func equalPartitionsAreFine() async throws {
    let api = FakeAPI { _ in .init(body: "{\"items\":\(records(1, 2))}") }
    let outcome = try await run(
      PagingTests.source(
        Self.page.replacing("}}", with: "},\"stop_on\":\"short\"}"),
        ",\"for_each\":{\"k\":[\"a\",\"b\"]},\"query\":{\"k\":\"{k}\"}"), api)
    // Each partition has its own two equal pages.
    #expect(outcome.error?.code == .pagination)
    let single = try await run(
      "{\"url\":\"http://api.test/{k}\",\(PagingTests.items),\"for_each\":{\"k\":[\"a\",\"b\"]}}",
      api)
    #expect(single.error == nil)
    #expect(single.ids == [1, 2, 1, 2])
  }
}
