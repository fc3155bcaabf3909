import AggregateTestSupport
import Foundation
import Testing

/// The program of Docs/guides/embedding.md is the one that is compiled, and does what the guide shows.
struct EmbeddingGuideTests {
  private static let guide = "Docs/guides/embedding.md"

  /// The first block of this language behind `mark`.
  private static func block(_ language: String, behind mark: String) throws -> String {
    let text = try Project.text(guide)
    let behind = try #require(text.components(separatedBy: mark).last)
    let parts = behind.components(separatedBy: "```\(language)\n")
    try #require(parts.count > 1, "\(guide) has no block of \(language) behind “\(mark)”")
    return try #require(parts[1].components(separatedBy: "```").first)
  }

  @Test func theProgramIsTheOneThatIsCompiled() throws {
    let source = "Tests/EmbeddingExample/WarmestDays.swift"
    #expect(
      try Self.block("swift", behind: "The whole program:") == Project.text(source),
      "the program in \(Self.guide) differs from \(source)")
  }

  @Test func theProgramPrintsWhatTheGuideShows() throws {
    let process = Process()
    process.executableURL = try GoldenSandbox.builtProgram()
      .deletingLastPathComponent().appending(path: "EmbeddingExample")
    process.currentDirectoryURL = Project.root
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(
      try String(decoding: output, as: UTF8.self)
        == Self.block("text", behind: "of the project it prints"))
  }
}
