import AggregateConfig
import AggregateCore
import AggregateTestSupport
import Foundation

@testable import AggregateCLI

/// A folder of its own with a `sources.yaml`, for runs inside of the test process.
struct Sandbox {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }

  init(_ yaml: String, files: [String: String] = [:]) throws {
    for (name, text) in files.merging(
      ["sources.yaml": yaml.replacing("@DIR@", with: folder)], uniquingKeysWith: { $1 })
    {
      try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
  }

  let console = Console(redactor: Redactor(), isJSON: false, hasColor: false)

  var loader: ConfigurationLoader {
    ConfigurationLoader(
      providers: Entry.program.providers, stages: Entry.program.stages,
      redactor: console.redactor, environment: [:])
  }

  func configuration() throws -> Configuration {
    let (configuration, diagnostics) = loader.load(path: "\(folder)/sources.yaml")
    try diagnostics.throwIfErrors()
    return configuration
  }

  func options(_ words: [String]) throws -> RunOptions {
    try RunOptions(ParsedArguments(words, options: RunOptions.definitions))
  }

  /// The rows of a run, as CSV; nothing is asked of the network.
  func csv(_ names: [String], _ words: [String] = []) async throws -> String {
    let prepared = try PreparedRun(
      names, options(words), configuration(), loader, Entry.program, console, .silent,
      isIsolated: true)
    return try await Self.csv(prepared.session, prepared.source)
  }

  static func csv(_ session: RunSession, _ source: RowSource) async throws -> String {
    let rows = CollectedRows()
    try await session.runner.run(source, into: rows)
    return try rows.csv(.error)
  }
}

/// A recording of GET requests and their JSON answers.
func recording(_ answers: [(url: String, body: String)]) throws -> String {
  let entries = answers.map { answer in
    [
      "startedDateTime": "2024-01-01T00:00:00Z", "time": 1,
      "request": ["method": "GET", "url": answer.url, "headers": []] as [String: Any],
      "response": [
        "status": 200,
        "headers": [["name": "Content-Type", "value": "application/json"]],
        "content": ["mimeType": "application/json", "text": answer.body],
      ] as [String: Any],
    ] as [String: Any]
  }
  let har = ["log": ["version": "1.2", "entries": entries] as [String: Any]]
  return String(decoding: try JSONSerialization.data(withJSONObject: har), as: UTF8.self)
}
