import Testing

@testable import AggregateRun

@Suite struct PlanTextTests {
  @Test(
    arguments: [
      (Duration.zero, "0 s"), (.milliseconds(500), "500 ms"), (.milliseconds(1500), "1.5 s"),
      (.seconds(90), "90 s"), (.seconds(900), "15 min"), (.seconds(3600), "1 h"),
      (.seconds(86_400), "1 day"), (.seconds(172_800), "2 days"),
    ])
  func durationsHaveTheLargestWholeUnit(_ duration: Duration, _ text: String) {
    #expect(PlanText.duration(duration) == text)
  }

  @Test(
    arguments: [
      ("http://me:secret@proxy.example.com:3128", "http://proxy.example.com:3128"),
      ("postgres://me@db/x?table=t", "postgres://db/x?table=t"), ("file.csv", "file.csv"),
    ])
  func addressesAreShownWithoutTheUser(_ address: String, _ shown: String) {
    #expect(PlanText.withoutUser(address) == shown)
  }
}
