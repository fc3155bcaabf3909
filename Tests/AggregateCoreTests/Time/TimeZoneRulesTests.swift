import AggregateCore
import Testing

@Suite struct TimeZoneRulesTests {
  private func local(_ zone: String, _ text: String) -> String? {
    Instant(iso8601: text, zone: TimeZoneRules.named(zone))?.iso8601
  }

  @Test func knowsFixedOffsetsAndUtc() {
    #expect(local("UTC", "2024-01-01T00:00:00") == "2024-01-01T00:00:00Z")
    #expect(local("+05:30", "2024-01-01T05:30:00") == "2024-01-01T00:00:00Z")
    #expect(TimeZoneRules.named("Mars/Olympus") == nil)
    #expect(TimeZoneRules.named("../../etc/passwd") == nil)
    #expect(TimeZoneRules.named("/etc/localtime") == nil)
  }

  @Test func aSkippedTimeMovesOnAndADoubledOneIsTheFirst() {
    #expect(local("Europe/Paris", "2024-03-31T02:30:00") == "2024-03-31T01:30:00Z")
    #expect(local("Europe/Paris", "2024-10-27T02:30:00") == "2024-10-27T00:30:00Z")
    #expect(local("America/New_York", "2024-11-03T01:30:00") == "2024-11-03T05:30:00Z")
  }

  @Test func goesOnAfterTheLastTransition() {
    #expect(local("Europe/Paris", "2090-07-01T12:00:00") == "2090-07-01T10:00:00Z")
    #expect(local("Europe/Paris", "2090-01-01T12:00:00") == "2090-01-01T11:00:00Z")
    #expect(local("Australia/Sydney", "2090-01-01T12:00:00") == "2090-01-01T01:00:00Z")
  }

  @Test(arguments: ["Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"])
  func localTimesRoundTripOutsideOverlaps(name: String) throws {
    let zone = try #require(TimeZoneRules.named(name))
    for day in stride(from: -20_000 as Int32, to: 40_000, by: 97) {
      let noon = try #require(
        zone.instant(CalendarDate(days: day), microsecondsOfDay: 43_200_000_000))
      #expect(zone.date(at: noon).days == day)
      #expect(zone.local(noon).microsecondsOfDay == 43_200_000_000)
    }
  }
}
