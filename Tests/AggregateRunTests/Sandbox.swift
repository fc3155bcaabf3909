import AggregateConfig
import AggregateCore
import AggregateProviders
import AggregateStages
import AggregateTestSupport
import Foundation

@testable import AggregateRun

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

  let redactor = Redactor()

  var loader: ConfigurationLoader {
    ConfigurationLoader(
      providers: Providers.all, stages: Stages.registry, redactor: redactor, environment: [:])
  }

  func configuration() throws -> Configuration {
    let (configuration, diagnostics) = loader.load(path: "\(folder)/sources.yaml")
    try diagnostics.throwIfErrors()
    return configuration
  }

  /// What a run is given; `replay` is the name of a recording in the folder.
  func context(replay: String? = nil) -> RunContext {
    var settings = RunSettings()
    settings.replay = replay.map { "\(folder)/\($0)" }
    return RunContext(
      settings, stages: Stages.registry, log: .silent, redactor: redactor,
      observer: SilentObserver())
  }

  /// The rows of a run, as CSV; nothing is asked of the network.
  func csv(_ names: [String], replay: String? = nil) async throws -> String {
    let configuration = try configuration()
    let prepared = try PreparedRun(
      names.map { try RunTarget.named($0, in: configuration) }, in: configuration, loader,
      context(replay: replay), isIsolated: true)
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
