import AggregateTestSupport
import Foundation
import Testing

/// The worked example `sources.yaml` at the top of the project.
struct WorkedExampleTests {
  private static func run(_ command: String) async throws -> GoldenOutcome {
    let sandbox = try GoldenSandbox()
    defer { sandbox.remove() }
    let yaml = Data(try Project.text("sources.yaml").utf8)
    try yaml.write(to: sandbox.work.appending(path: "sources.yaml"))
    let exit = try await sandbox.run(["-c", command], program: GoldenSandbox.builtProgram())
    return try sandbox.outcome(exit: exit)
  }

  @Test func isValid() async throws {
    let outcome = try await Self.run("aggregate validate --strict")
    #expect(outcome.exit == 0, "\(outcome.stderr)")
  }

  @Test(arguments: [
    ("weather", "place,country,lat,lon,time,date,temp"), ("pokemon", "id,name,height_m"),
    ("news", "title,description,author"), ("morning", "_source,place,date"),
  ])
  func runsFromSamples(_ name: String, _ header: String) async throws {
    let outcome = try await Self.run("aggregate --source \(name) --sample")
    #expect(outcome.exit == 0, "\(outcome.stderr)")
    let lines = outcome.stdout.split(separator: "\n")
    #expect(lines.first?.hasPrefix(header) == true, "\(outcome.stdout)")
    #expect(lines.count > 1)
  }

  @Test func plansWithoutNetwork() async throws {
    let outcome = try await Self.run("aggregate plan")
    #expect(outcome.exit == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.contains("https://api.github.com/repos/"))
  }
}
