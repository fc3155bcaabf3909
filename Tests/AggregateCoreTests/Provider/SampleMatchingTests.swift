import AggregateCore
import Testing

@Suite struct SampleMatchingTests {
  @Test(arguments: [
    (["/pokemon/1"], "https://h/api/v2/pokemon/1/", true),
    (["/pokemon/1"], "https://h/pokemon/1", true),
    (["/pokemon/1"], "https://h/pokemon/12", false),
    (["/pokemon/1"], "https://h/pokemon/1-mega", false),
    (["limit=2"], "https://h/a?limit=20", false),
    (["limit=2"], "https://h/a?limit=2&offset=0", true),
    (["lat=51.5"], "https://h/a?lat=51.50853&lon=1", true),
    (["lat=51.5"], "https://h/a?lat=51.5x", false),
    (["lat=51"], "https://h/a?lat=512", false),
    (["q=London,GB"], "https://h/a?q=London%2CGB&limit=5", true),
    (["q=London"], "https://h/a?q=Londonderry", false), (["atom"], "https://h/feeds/myatoms", true),
    (["/a", "x=1"], "https://h/a?x=1", true), (["/a", "x=1"], "https://h/a?x=2", false),
  ])
  func textsOfASampleStandWhole(_ texts: [String], _ address: String, _ isMeant: Bool) throws {
    let sample = ProviderSpec.Sample(matching: texts) { [] }
    #expect(sample.answers(try #require(WebURL(address))) == isMeant)
  }
}
