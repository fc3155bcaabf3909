import AggregateCore
import Testing

@testable import AggregateREST

@Suite struct PlanTests {
  private func plan(_ more: String) throws -> ProviderPlan {
    var diagnostics = Diagnostics()
    let made = try provider("{\"url\":\"http://api.test/x\",\(more)}", &diagnostics)
    try diagnostics.throwIfErrors()
    return made.plan
  }

  @Test(
    arguments: [
      ("{\"page\":{\"param\":\"p\"}}", "page", ["an empty page"]),
      ("{\"page\":{\"param\":\"p\"},\"stop_on\":\"never\"}", "page", []),
      (
        "{\"page\":{\"param\":\"p\",\"size\":5},\"stop_on\":\"short\"}", "page",
        ["a page of fewer than 5"]
      ),
      (
        "{\"offset\":{\"param\":\"o\",\"total\":\"$.n\"}}", "offset",
        ["the number of records at $.n is reached", "without that number, an empty page"]
      ),
      (
        "{\"cursor\":{\"param\":\"c\",\"from\":\"$.n\"},\"stop_when\":\"a = 1\"}", "cursor",
        ["a page where a = 1", "a page without a token"]
      ),
      (
        "{\"next_url\":{\"from\":\"$.n\"},\"stop_on\":\"empty\"}", "next_url",
        ["an empty page", "a page without an address"]
      ),
      ("{\"link_header\":{}}", "link_header", ["a page without such a link"]),
    ])
  func everyKindOfPagingSaysWhatEndsIt(_ paginate: String, _ kind: String, _ ends: [String]) throws
  {
    let paging = try #require(try plan("\"paginate\":\(paginate)").paging)
    #expect(paging.kind == kind)
    #expect(paging.ends == ends)
  }

  @Test func aTokenFromAHeaderIntoTheBody() throws {
    let paging = try #require(
      try plan(
        "\"paginate\":{\"cursor\":{\"from\":\"header:X-Next\",\"path\":\"$.page.after\"},"
          + "\"max_pages\":3}"
      ).paging)
    #expect(paging.maxPages == 3)
    #expect(
      paging.parameters.map { "\($0.name)=\($0.value)" }
        == ["from=header:X-Next", "in=body", "path=page.after"])
  }

  @Test(
    arguments: [
      ("{\"range\":{\"from\":1,\"to\":10,\"step\":4}}", 3),
      ("{\"range\":{\"from\":5,\"to\":1}}", 0),
      ("{\"range\":{\"from\":\(Int.min),\"to\":\(Int.max)}}", nil),
      ("[\"a\",\"b\"]", 2), ("{\"source\":\"other\",\"column\":\"id\"}", nil),
    ] as [(String, Int?)])
  func valuesAreCountedWhereTheyAreKnown(_ values: String, _ count: Int?) throws {
    let plan = try plan("\"for_each\":{\"k\":\(values)}")
    #expect(plan.keys.map(\.count) == [count])
    #expect(plan.partitions == count)
  }

  @Test(
    arguments: [
      ("{\"bearer\":\"hidden-1\"}", ["bearer"]), ("{\"netrc\":true}", ["netrc"]),
      ("{\"api_key\":{\"name\":\"k\",\"value\":\"hidden-1\"}}", ["api_key in the header"]),
      (
        "{\"rotate\":[{\"bearer\":\"hidden-1\"},{\"api_key\":{\"in\":\"cookie\",\"name\":\"k\",\"value\":\"hidden-2\"}}]}",
        ["bearer", "api_key in the cookie"]
      ),
      (
        "{\"oauth2\":{\"token_url\":\"http://id.test/\",\"grant\":\"refresh_token\",\"refresh_token\":\"hidden-1\"}}",
        ["oauth2 with the grant refresh_token"]
      ),
      ("{\"jwt\":{\"key\":\"hidden-1\"}}", ["jwt"]),
      ("{\"login\":{\"url\":\"http://id.test/\"}}", ["login"]),
      (
        "{\"aws_sigv4\":{\"region\":\"r\",\"service\":\"s\",\"access_key\":\"hidden-1\",\"secret_key\":\"hidden-2\"}}",
        ["aws_sigv4"]
      ),
    ])
  func authenticationIsToldByItsKindOnly(_ auth: String, _ kinds: [String]) throws {
    #expect(try plan("\"auth\":\(auth)").authentication == kinds)
  }
}
