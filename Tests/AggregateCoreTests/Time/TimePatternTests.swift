import AggregateCore
import Testing

@Suite struct TimePatternTests {
  private let instant = Instant(iso8601: "2024-03-05T17:08:09.123456Z")

  @Test(arguments: [
    ("%d.%m.%Y", "05.03.2024"), ("%-d/%-m/%y", "5/3/24"), ("%H:%M:%S.%f", "17:08:09.123456"),
    ("%I:%M %p", "05:08 PM"), ("%a %A %b %B", "Tue Tuesday Mar March"), ("%j", "065"),
    ("%e", " 5"), ("%G-W%V-%u", "2024-W10-2"), ("100%%", "100%"), ("%F %T", "2024-03-05 17:08:09"),
    ("%z %Z", "+00 UTC"),
  ])
  func formats(pattern: String, wanted: String) throws {
    let instant = try #require(instant)
    #expect(TimePattern(pattern)?.format(instant) == wanted)
  }

  @Test(arguments: [
    ("%d/%m/%Y %H:%M", "05/03/2024 17:08", "2024-03-05T17:08:00Z"),
    ("%B %d, %Y", "March 5, 2024", "2024-03-05T00:00:00Z"),
    ("%Y-%j", "2024-060", "2024-02-29T00:00:00Z"),
    ("%I:%M %p %d.%m.%y", "12:05 am 05.03.24", "2024-03-05T00:05:00Z"),
    ("%Y-%m-%dT%H:%M:%S%z", "2024-03-05T17:08:09+02:00", "2024-03-05T15:08:09Z"),
    ("%s", "1700000000", "2023-11-14T22:13:20Z"),
  ])
  func parses(pattern: String, text: String, wanted: String) {
    #expect(TimePattern(pattern)?.parse(text)?.instant(zone: .utc)?.iso8601 == wanted)
  }

  @Test func consumesTheWholeText() {
    #expect(TimePattern("%Y-%m-%d")?.parse("2024-05-06 extra") == nil)
    #expect(TimePattern("%Y-%m-%d")?.parse("2024-02-30") == nil)
    #expect(TimePattern("%Q") == nil)
    #expect(TimePattern("%") == nil)
  }

  @Test func declaredFormatsReadAndWrite() {
    #expect(InstantFormat("epoch_s")?.parse("1700000000.5")?.iso8601 == "2023-11-14T22:13:20.500Z")
    #expect(
      InstantFormat("epoch_ms")?.parse("1700000000123")?.iso8601 == "2023-11-14T22:13:20.123Z")
    #expect(InstantFormat("nonsense") == nil)
    for name in ["iso", "epoch_s", "epoch_ms", "rfc822", "%Y-%m-%dT%H:%M:%S"] {
      let format = InstantFormat(name)
      let instant = Instant(microseconds: 1_700_000_000_000_000)
      #expect(format?.parse(format?.format(instant) ?? "", zone: .utc) == instant, "\(name)")
    }
  }
}
