import AggregateCore
import Foundation
import Testing

@testable import AggregateConfig

@Suite struct SubstitutionTests {
  func applied(
    _ text: String, _ environment: [String: String] = [:], plain: Bool = true,
    redactor: Redactor = Redactor(), directory: String = "."
  ) -> Substitution.Result {
    let place = SourceLocation(file: "f", line: 1, column: 1, text: text)
    return Substitution(environment: environment, directory: directory, redactor: redactor)
      .apply(to: .text(text, at: place, plain: plain))
  }

  @Test(arguments: [
    ("$.a[0]", "$.a[0]"), ("$$", "$"), ("a$", "a$"), ("$", "$"), ("", ""), ("$$${A}", "$va"),
    ("${A}", "va"), ("x${A}y${B}z", "xvayvbz"), ("${N:-d}", "d"), ("${E:-d}", "d"),
    ("${A:-d}", "va"),
    ("${N:-}", ""), ("${E}", ""), ("${N:-{x}}", "{x}"), ("$${A}", "${A}"), ("${A:?needed}", "va"),
    ("query($x: Int)", "query($x: Int)"),
  ])
  func valuesAreFilledIn(_ text: String, _ wanted: String) {
    let result = applied(text, ["A": "va", "B": "vb", "E": ""])
    #expect(result.diagnostics.all.isEmpty)
    #expect(result.node.scalar?.text == wanted)
  }

  @Test func whatCameInIsNotExpandedAgain() {
    let result = applied("a${A}b", ["A": "${HOME} {x} $$"])
    #expect(
      result.node.scalar?.parts
        == [.written("a"), .substituted("${HOME} {x} $$"), .written("b")])
    #expect(result.node.shown == "“a${…}b”")
  }

  @Test(arguments: [
    ("ab${N}", 3, "“N” is not set"), ("${N:?get a key}", 1, "get a key"), ("${", 1, "not closed"),
    ("x ${A", 3, "not closed"), ("${a b}", 1, "not a substitution"),
    ("${}", 1, "not a substitution"),
    ("${A:x}", 1, "not a substitution"), ("${1}", 1, "not a substitution"),
    ("${file:/nowhere/at/all}", 1, "can't be read"), ("${file:/dev/zero}", 1, "not a regular file"),
  ])
  func mistakesHaveTheirPlace(_ text: String, _ column: Int, _ words: String) throws {
    let result = applied(text, ["A": "x"])
    let first = try #require(result.diagnostics.all.first)
    #expect(first.message.contains(words), "\(first.message)")
    #expect(first.location?.column == column)
    #expect(result.failedLines.count == 1)
  }

  @Test func valuesAreSecretsAndDefaultsAreNot() {
    let redactor = Redactor()
    _ = applied("${A} ${N:-fallback}", ["A": "hidden"], redactor: redactor)
    #expect(redactor.redact("hidden fallback") == "*** fallback")
  }

  @Test func filesAreRelativeToTheConfigurationAndLoseTheirLineEnd() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("substitution-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("a\nb\r\n".utf8).write(to: folder.appendingPathComponent("key.txt"))
    let redactor = Redactor()
    let result = applied("${file:key.txt}", redactor: redactor, directory: folder.path)
    #expect(result.node.scalar?.parts == [.substituted("a\nb")])
    #expect(result.diagnostics.all.isEmpty)
  }
}
