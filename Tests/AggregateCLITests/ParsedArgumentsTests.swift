import Testing

@testable import AggregateCLI

@Suite struct ParsedArgumentsTests {
  @Test(arguments: [
    (["a", "-s", "b", "c", "--source=d"], ["a", "b", "c", "d"]),
    (["-s", "b", "a"], ["b", "a"]), (["a", "-j", "2", "-sb", "--", "-x"], ["a", "b", "-x"]),
    (["-j", "2"], []), (["-q", "a", "-q"], ["a"]),
  ])
  func namesAreInTheOrderGiven(_ words: [String], _ names: [String]) throws {
    let arguments = try ParsedArguments(words, options: RunOptions.definitions)
    #expect(arguments.wordsAndValues(of: "source") == names)
  }
}
