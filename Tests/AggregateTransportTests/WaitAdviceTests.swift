import AggregateCore
import Testing

@testable import AggregateTransport

/// What services really write, at 2023-11-14 22:13:20 UTC.
@Suite struct WaitAdviceTests {
  private static let now: Int64 = 1_700_000_000

  private func asked(_ fields: [(String, String)], status: Int = 429) throws -> Double? {
    let now = try #require(Instant(seconds: Self.now))
    let response = HTTPResponse(
      status: status, headers: fields.map { HTTPField($0.0, $0.1) }, body: .empty,
      url: try parsed("http://a/"), fetchedAt: now)
    return WaitAdvice.asked(by: response, now: now)
  }

  @Test(
    arguments: [
      ("37", 37), ("0", 0), ("1.5", 1.5), (" 37 ", 37), ("+3", 3), ("\"37\"", 37), ("-5", 0),
      ("86400", 86_400), ("37, 37", 37), ("037", 37),
      // Dates in the three forms of HTTP, and in forms that it does not have.
      ("Tue, 14 Nov 2023 22:13:30 GMT", 10), ("Tuesday, 14-Nov-23 22:13:30 GMT", 10),
      ("Tue Nov 14 22:13:30 2023", 10), ("Tue, 14 Nov 2023 21:13:30 GMT", 0),
      ("Tue, 14 Nov 2023 23:13:30 +0100", 10), ("2023-11-14T22:13:30Z", 10),
      ("2023-11-14T23:13:30.5+01:00", 10.5), ("2023-11-14 22:13:30 UTC", 10),
      ("2023-11-14 22:13:30", 10), ("1999-01-01T00:00:00Z", 0),
      // Times since 1970.
      ("1700000004", 4), ("1700000004.25", 4.25), ("1700000004000", 4), ("1700000004000000", 4),
      ("1700000004000000000", 4), ("1600000000", 0), ("1600000000000", 0),
      // Units.
      ("30s", 30), ("6m0s", 360), ("1h2m3.5s", 3723.5), ("250ms", 0.25), ("30 seconds", 30),
      ("2 Minutes", 120), ("1 min 30 sec", 90),
      // Nothing that can be understood.
      ("soon", nil), ("", nil), ("nan", nil), ("inf", nil), ("0x1F", nil), ("1e3", nil), ("s", nil),
      ("3 apples", nil), ("--5", nil), ("14 Nov", nil), ("2023-13-45T99:00:00Z", nil), ("٣٧", nil),
    ] as [(String, Double?)])
  func retryAfter(_ text: String, _ seconds: Double?) throws {
    for name in ["Retry-After", "retry-after"] {
      #expect(try asked([(name, text)], status: 503) == seconds)
    }
  }

  @Test(arguments: ["99999999999999999999999999", "999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
  func absurdTimesAreLong(_ text: String) throws {
    #expect(try #require(try asked([("Retry-After", text)])) > 1e6)
  }

  @Test(
    arguments: [
      // GitHub, Twitter, GitLab, Reddit, Discord.
      ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1700000004")], 4),
      ([("x-rate-limit-remaining", "0"), ("x-rate-limit-reset", "1700000900")], 900),
      (
        [
          ("RateLimit-Remaining", "0"), ("RateLimit-Reset", "1700000010"),
          ("RateLimit-ResetTime", "Tue, 14 Nov 2023 22:13:30 GMT"),
        ], 10
      ),
      ([("x-ratelimit-remaining", "0.0"), ("x-ratelimit-reset", "301")], 301),
      (
        [
          ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1700000001.123"),
          ("X-RateLimit-Reset-After", "1.123"),
        ], 1.123
      ),
      // In milliseconds, as a date, as a length of time.
      ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1700000004000")], 4),
      ([("X-RateLimit-Reset", "2023-11-14T22:13:30Z")], 10),
      ([("X-RateLimit-Reset", "Tue, 14 Nov 2023 22:13:30 GMT")], 10),
      ([("x-ratelimit-reset-requests", "6m0s"), ("x-ratelimit-remaining-requests", "0")], 360),
      (
        [
          ("anthropic-ratelimit-requests-remaining", "0"),
          ("anthropic-ratelimit-requests-reset", "2023-11-14T22:13:50Z"),
        ], 30
      ),
      // Of several limits, those that are used up, and of these the longest.
      (
        [
          ("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "2s"),
          ("x-ratelimit-remaining-tokens", "812"), ("x-ratelimit-reset-tokens", "6m0s"),
        ], 2
      ),
      (
        [
          ("X-RateLimit-Remaining-Second", "0"), ("X-RateLimit-Reset-Second", "1"),
          ("X-RateLimit-Remaining-Hour", "0"), ("X-RateLimit-Reset-Hour", "1800"),
        ], 1800
      ),
      // Not the limit that refuses, or one that says nothing.
      ([("X-RateLimit-Remaining", "57"), ("X-RateLimit-Reset", "1700003600")], nil),
      ([("X-RateLimit-Reset", "later")], nil), ([("X-RateLimit-Limit", "60")], nil),
      ([("X-Reset", "60")], nil),
      // In the past, or negative.
      ([("X-RateLimit-Reset", "1600000000")], 0), ([("X-RateLimit-Reset", "-1")], 0),
      // The drafts of the IETF, from the oldest on.
      ([("RateLimit-Limit", "10"), ("RateLimit-Remaining", "0"), ("RateLimit-Reset", "12")], 12),
      (
        [
          ("RateLimit-Limit", "10, 10;w=60"), ("RateLimit-Remaining", "0;w=60"),
          ("RateLimit-Reset", "12"),
        ], 12
      ),
      ([("RateLimit", "limit=10, remaining=0, reset=30")], 30),
      ([("RateLimit", "limit=10, remaining=3, reset=30")], nil),
      ([("RateLimit", #""default";r=0;t=30"#)], 30),
      ([("RateLimit", #""default"; r=0 ; t=30"#)], 30),
      ([("RateLimit", #""default";t=30"#)], 30), ([("RateLimit", "default;r=0;t=30")], 30),
      ([("RateLimit", #""burst";r=5;t=1, "daily";r=0;t=3600"#)], 3600),
      ([("RateLimit", #""burst";r=0;t=1"#), ("RateLimit", #""daily";r=9;t=3600"#)], 1),
      ([("RateLimit", #""a;t=99,b";r=0;t=7;pk=:c2Q=:"#)], 7),
      ([("RateLimit", #""default";r=50;t=30"#)], nil), ([("RateLimit", "")], nil),
      ([("RateLimit-Policy", #""default";q=100;w=60"#)], nil),
      // Milliseconds, as Azure has them.
      ([("retry-after-ms", "1500")], 1.5), ([("x-ms-retry-after-ms", "250")], 0.25),
      // What is said for the request counts more than what is said of limits.
      ([("X-RateLimit-Reset", "90"), ("Retry-After", "3")], 3),
      ([("Retry-After", "soon"), ("X-RateLimit-Reset", "90")], 90),
      ([("Retry-After", "3"), ("Retry-After", "5")], 5), ([], nil),
    ] as [([(String, String)], Double?)])
  func limits(_ fields: [(String, String)], _ seconds: Double?) throws {
    let found = try asked(fields)
    if let seconds, let found {
      #expect(abs(found - seconds) < 0.001)
    } else {
      #expect(found == seconds)
    }
  }

  @Test(arguments: [500, 502, 503, 408])
  func limitThatIsNotUsedUpDoesNotHoldUpAnotherFailure(_ status: Int) throws {
    // GitHub has these in every answer: the hour until the reset is no reason to give up.
    let reset = ("X-RateLimit-Reset", "1700003600")
    #expect(try asked([("X-RateLimit-Remaining", "4999"), reset], status: status) == nil)
    #expect(try asked([reset], status: status) == nil)
    #expect(try asked([("RateLimit", #""default";t=30"#)], status: status) == nil)
    #expect(try asked([("X-RateLimit-Remaining", "0"), reset], status: status) == 3600)
  }
}
