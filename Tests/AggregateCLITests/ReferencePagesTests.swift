import AggregateProviders
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateCLI

/// `Docs/reference` is what the program says of itself.
struct ReferencePagesTests {
  private static let folder = Project.root.appending(path: "Docs/reference")
  private static let program = Program(providers: Providers.all)

  @Test func areUpToDate() throws {
    for page in DocsCommand.pages(Self.program) {
      let file = Self.folder.appending(path: page.path)
      let text = try? String(contentsOf: file, encoding: .utf8)
      #expect(
        text == DocsCommand.mark + "\n" + page.text,
        "Docs/reference/\(page.path) is stale: run “make docs”")
    }
  }

  @Test func nothingIsLeftOver() throws {
    let pages = Set(DocsCommand.pages(Self.program).map(\.path))
    let files =
      FileManager.default.enumerator(atPath: Self.folder.path)?
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".md") } ?? []
    #expect(!files.isEmpty)
    for file in files {
      #expect(pages.contains(file), "Docs/reference/\(file) describes nothing: delete it")
    }
  }

  @Test func theCommandWritesThePages() async throws {
    let sandbox = try GoldenSandbox()
    defer { sandbox.remove() }
    let exit = try await sandbox.run(
      ["-c", "aggregate docs --output a/b && cat a/b/stages/head.md"],
      program: GoldenSandbox.builtProgram())
    let outcome = try sandbox.outcome(exit: exit)
    #expect(outcome.exit == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.hasPrefix(DocsCommand.mark + "\n# Stage `head`\n"))
  }
}
