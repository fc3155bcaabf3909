import AggregateCore
import Testing

@testable import AggregateConfig

@Suite struct CommonOptionsTests {
  @Test(arguments: CommonOptions.specs) func everyOptionIsDescribed(_ spec: OptionSpec) throws {
    #expect(
      !spec.summary.isEmpty && spec.summary.hasSuffix(spec.summary.hasSuffix("”.") ? "”." : "."))
    #expect(spec.name == spec.name.lowercased())
    for text in [spec.example, spec.defaultText].compactMap({ $0 }) {
      var diagnostics = Diagnostics()
      let node = try #require(
        YAMLParser.parse(Array(text.utf8), file: "example", into: &diagnostics))
      spec.shape.check(node, name: spec.name, into: &diagnostics)
      #expect(diagnostics.all.map(\.rendered) == [], "\(spec.name): \(text)")
    }
  }

  @Test func namesAreUnique() {
    #expect(Set(CommonOptions.specs.map(\.name)).count == CommonOptions.specs.count)
  }
}
