import AggregateCore
import Testing

@Suite struct ColumnPathTests {
  @Test(arguments: [
    ["a"], ["a", "b"], ["a.b"], ["a\\", "b"], ["\\."], [""], ["", ""], ["a", "0", ""], [".", "\\"],
    ["é", "日本"], ["\\\\", ".."],
  ])
  func textFormReadsBack(_ elements: [String]) {
    #expect(ColumnPath(text: ColumnPath(elements).description).elements == elements)
  }

  @Test func differentPathsHaveDifferentTexts() {
    let pieces = ["", "a", ".", "\\", "a.", "\\a"]
    var paths = pieces.map { [$0] }
    for first in pieces { paths += pieces.map { [first, $0] } }
    #expect(Set(paths.map { ColumnPath($0).description }).count == paths.count)
  }

  @Test func writtenPathsAreSplitAtDots() {
    #expect(ColumnPath(text: "city.name").elements == ["city", "name"])
    #expect(ColumnPath(text: "a\\.b.c").elements == ["a.b", "c"])
    #expect(ColumnPath(text: "a\\").elements == ["a\\"])
  }
}
