import AggregateCore
import Testing

@Suite struct InstantParserTests {
  @Test(arguments: [
    ("2024-03-05T10:20:30Z", "2024-03-05T10:20:30Z"),
    ("2024-03-05 10:20:30Z", "2024-03-05T10:20:30Z"),
    ("2024-03-05T10:20Z", "2024-03-05T10:20:00Z"),
    ("2024-03-05T12:20:30+02:00", "2024-03-05T10:20:30Z"),
    ("2024-03-05T12:20:30+0200", "2024-03-05T10:20:30Z"),
    ("2024-03-05T12:20:30+02", "2024-03-05T10:20:30Z"),
    ("2024-03-05T10:20:30.123456789Z", "2024-03-05T10:20:30.123456Z"),
    ("2024-03-05T10:20:30.5Z", "2024-03-05T10:20:30.500Z"),
    ("20240305T102030Z", "2024-03-05T10:20:30Z"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
    ("2024-03-05T24:00:00Z", "2024-03-06T00:00:00Z"),
  ])
  func readsIsoForms(text: String, wanted: String) {
    #expect(Instant(iso8601: text)?.iso8601 == wanted)
  }

  @Test(arguments: [
    "", "2024", "2024-13-01", "2023-02-29", "2024-03-05T", "2024-03-05T10", "2024-03-05T25:00:00Z",
    "2024-03-05T10:20:30+2", "2024-03-05T10:20:30Zx", "2024-03-05x10:20:30Z", "yesterday",
  ])
  func refusesWhatIsNoTime(text: String) {
    #expect(Instant(iso8601: text, zone: .utc) == nil)
  }

  @Test func aNaiveTimeNeedsAZone() {
    #expect(Instant(iso8601: "2024-07-01T12:00:00") == nil)
    let paris = TimeZoneRules.named("Europe/Paris")
    #expect(
      Instant(iso8601: "2024-07-01T12:00:00", zone: paris)?.iso8601 == "2024-07-01T10:00:00Z")
    #expect(Instant(iso8601: "2024-07-01", zone: .utc)?.iso8601 == "2024-07-01T00:00:00Z")
  }

  @Test(arguments: [
    ("Tue, 05 Mar 2024 10:20:30 +0000", "2024-03-05T10:20:30Z"),
    ("5 Mar 2024 10:20:30 GMT", "2024-03-05T10:20:30Z"),
    ("Tue, 05 Mar 2024 10:20 EST", "2024-03-05T15:20:00Z"),
    ("Tue, 05 Mar 24 10:20:30 +0200", "2024-03-05T08:20:30Z"),
  ])
  func readsMailDates(text: String, wanted: String) {
    #expect(Instant(rfc822: text)?.iso8601 == wanted)
  }
}
