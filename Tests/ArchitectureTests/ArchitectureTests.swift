import Testing

@Suite struct ArchitectureTests {
  @Test(arguments: Rule.all) func holds(_ rule: Rule) {
    let findings = rule.findings(.project)
    for finding in findings where !rule.notYet.contains(finding.place) {
      Issue.record("\(rule): \(finding.place) \(finding.reason)")
    }
    for place in rule.notYet.subtracting(findings.map(\.place)).sorted() {
      Issue.record("\(rule): \(place) is mended, take it out of the list notYet")
    }
  }

  @Test func thereIsAProjectToLookAt() {
    #expect(SourceTree.project.productFiles.count > 300)
    #expect(SourceTree.project.providerModules.count >= 6)
    #expect(SourceTree.project.modules.count >= 30)
  }
}
