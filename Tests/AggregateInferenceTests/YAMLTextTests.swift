import AggregateConfig
import AggregateCore
import Testing

@testable import AggregateInference

@Suite struct YAMLTextTests {
  @Test(arguments: [
    "a", "", "null", "true", "a: b", "a #b", "#", "- x", "'", "\"", "a\nb", "\\", "{x}", "[1]", "*",
    "&a", "é", "@x",
    "%", "x:", ":", "a,b", "?", "|", ">", "!t", "~", " a ", "12:30", "https://h/p?a=b&c=d", "$",
    "$x", "${X}", "$${X}",
  ])
  func textsAreReadAsTheyAre(text: String) throws {
    let yaml =
      "key: \(YAMLText.scalar(text))\nlist: [\(YAMLText.scalar(text)), \(YAMLText.scalar(text))]\n"
    var diagnostics = Diagnostics()
    let node = try #require(
      YAMLParser.parse(Array(yaml.utf8), file: "test", into: &diagnostics))
    #expect(diagnostics.all.isEmpty)
    let read = node["key"]?.scalar?.text
    // `$$` stands for `$` only after variables were filled in.
    if !text.contains("${") {
      #expect(read == text)
    } else {
      #expect(read?.contains("$${") == true)
    }
    #expect(node["key"]?.isNull == false)
    #expect(node["list"]?.sequence?.count == 2)
  }

  @Test func commentsAreOneLine() {
    #expect(YAMLText.comment("a\nb\tc") == "# a b c")
  }
}
