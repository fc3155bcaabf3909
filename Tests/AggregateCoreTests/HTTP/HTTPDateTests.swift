import AggregateCore
import Testing

@Suite struct HTTPDateTests {
  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func threeFormsMeanTheSameInstant(_ text: String) {
    #expect(Instant(httpDate: text)?.iso8601 == "1994-11-06T08:49:37Z")
  }

  @Test(arguments: [
    "", "120", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:00:00 GMT",
    "Sun, 06 Xxx 1994 08:49:37 GMT", "a b c d e f", "Sun, 06 Nov 1994 08:49 GMT",
  ])
  func whatIsNoDateIsNil(_ text: String) { #expect(Instant(httpDate: text) == nil) }

  @Test func headersAreJoinedAndFoundWithoutCase() throws {
    let response = HTTPResponse(
      status: 200, headers: [HTTPField("Link", "a"), HTTPField("X", "y"), HTTPField("link", "b")],
      body: .empty, url: try #require(WebURL("http://h")), fetchedAt: Instant(microseconds: 0))
    #expect(response.header("LINK") == "a, b")
    #expect(response.header("none") == nil)
  }
}
