import AggregateTestSupport
import Foundation
import Testing

/// The commands of README.md do what it says.
struct ReadmeTests {
  /// One command of a `console` block and what must follow it.
  struct Example: Sendable, CustomStringConvertible {
    let line: Int
    let command: String
    let output: String
    var description: String { "README.md:\(line): \(command)" }
  }

  /// The commands of all blocks; a line that begins with `> ` continues the command.
  static func examples(_ text: String) -> [Example] {
    var examples: [Example] = []
    var open: (line: Int, command: String, output: String)?
    var isInside = false
    func close() {
      if let item = open {
        examples.append(Example(line: item.line, command: item.command, output: item.output))
      }
      open = nil
    }
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("```") {
        close()
        isInside = !isInside && line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        close()
        open = (index + 1, String(line.dropFirst(2)), "")
      } else if isInside, line.hasPrefix("> "), open?.output.isEmpty == true {
        open?.command += "\n" + line.dropFirst(2)
      } else {
        open?.output += line + "\n"
      }
    }
    return examples
  }

  @Test func everyExampleGivesWhatItShows() async throws {
    let examples = Self.examples(try Project.text("README.md"))
    #expect(
      !examples.isEmpty,
      "README.md has no ```console block with a line that begins with “$ ”: nothing is executed")
    let program = try GoldenSandbox.builtProgram()
    let sandbox = try GoldenSandbox()
    defer { sandbox.remove() }
    // In order and in one folder, so that an example may use what one before it wrote.
    let yaml = Data(try Project.text("sources.yaml").utf8)
    try yaml.write(to: sandbox.work.appending(path: "sources.yaml"))
    for example in examples {
      _ = try await sandbox.run(["-c", "exec 2>&1\n" + example.command], program: program)
      let outcome = try sandbox.outcome(exit: 0)
      #expect(outcome.stdout == example.output, "\(example)")
    }
  }

  @Test func examplesAreFound() {
    let text = """
      ```sh
      $ not run
      ```
      ```console
      $ echo a \\
      > b
      a b
      $ true
      ```
      $ outside
      """
    let examples = Self.examples(text)
    #expect(examples.map(\.command) == ["echo a \\\nb", "true"])
    #expect(examples.map(\.output) == ["a b\n", ""])
    #expect(examples.map(\.line) == [5, 8])
  }
}
