import AggregateCore
import Testing

@Suite struct SuggestionsTests {
  private let names = ["filter", "select", "dedupe", "sort", "group", "flatten"]

  @Test(arguments: [
    ("fitler", "filter"), ("slect", "select"), ("SORT", "sort"), ("grup", "group"),
    ("flaten", "flatten"), ("dedup", "dedupe"),
  ])
  func misspeltNamesAreFound(_ written: String, _ meant: String) {
    #expect(Suggestions.nearest(to: written, in: names).first == meant)
    #expect(Suggestions.hint(for: written, in: names) == "did you mean “\(meant)”?")
  }

  @Test(arguments: ["xyz", "completely", ""])
  func nothingNearGivesAllNames(_ written: String) {
    #expect(Suggestions.nearest(to: written, in: names).isEmpty)
    #expect(Suggestions.hint(for: written, in: names).hasPrefix("valid: filter, select"))
  }

  @Test func nearestComesFirstAndThreeAtMost() {
    let found = Suggestions.nearest(to: "temp", in: ["tamp", "temp1", "temp", "tempo", "team"])
    #expect(found.first == "temp")
    #expect(found.count == 3)
    #expect(Suggestions.nearest(to: "a", in: []).isEmpty)
  }
}
