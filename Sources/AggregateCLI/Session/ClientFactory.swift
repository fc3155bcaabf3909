import AggregateConfig
import AggregateCore
import AggregateState
import AggregateTransport
import Synchronization

/// Makes the HTTP client of each source: over the network, from samples, or from a recording.
///
/// All sources of a run share connections, the bound on requests under way and the recording.
/// Nothing is loaded or opened before the first client is asked for.
final class ClientFactory: Sendable {
  private let options: RunOptions
  private let log: RunLog
  private let redactor: Redactor
  private let configuration: String
  private let slots: RequestSlots
  private let wire: any Wire
  private let recorder: (recorder: Recorder, path: String)?
  private let waits: Bool
  private let database: StateDatabase

  /// - Parameter configuration: The path of the configuration file, which tells the sources of one
  ///   file from those of another in the state folder.
  /// - Parameter isIsolated: Whether nothing may be asked of the network.
  /// - Throws: ``AggregateError`` when the recording to replay can't be read.
  init(
    _ options: RunOptions, _ log: RunLog, _ redactor: Redactor, configuration: String?,
    isIsolated: Bool = false
  ) throws {
    self.options = options
    self.log = log
    self.redactor = redactor
    self.configuration = FileInputs.absolute(configuration ?? "")
    slots = RequestSlots(options.jobs)
    database = StateDatabase(
      path: StateFolder.state(ConfigurationLoader.processEnvironment) + "/state.db")
    let engine = CurlEngine(userAgent: "aggregate/\(VersionCommand.version)")
    if let path = options.arguments.value("replay") {
      wire = try ReplayWire(path: path, redactor: redactor)
      recorder = nil
      waits = false
    } else if isIsolated {
      wire = ClosedWire()
      recorder = nil
      waits = false
    } else if let path = options.arguments.value("record") {
      let recorder = Recorder(redactor: redactor, version: VersionCommand.version)
      wire = recorder.recording(engine)
      self.recorder = (recorder, path)
      waits = true
    } else {
      wire = engine
      recorder = nil
      waits = true
    }
  }

  /// A closure that makes the client of a source when it is run.
  func client(
    for declaration: SourceDeclaration, metrics: SourceMetrics
  ) -> @Sendable () throws -> any HTTPClient {
    { [self] in
      if options.arguments.has("sample") {
        return SampleClient(
          source: declaration.name, samples: declaration.provider?.spec.samples ?? [])
      }
      let limit = waits
        ? SharedLimit(
          database: database,
          scope: StateScope(config: configuration, source: declaration.name),
          rate: declaration.options.rateLimit, quota: declaration.options.quota, log: log) : nil
      var policy = declaration.options.policy
      if let timeout = options.timeout {
        policy.totalTimeout = timeout
        policy.connectTimeout = min(policy.connectTimeout, timeout)
        policy.stallTimeout = min(policy.stallTimeout, timeout)
      }
      return HTTPTransport(
        source: declaration.name, wire: wire, policy: policy, slots: slots,
        concurrency: declaration.options.concurrency, limit: limit, log: log, redactor: redactor,
        metrics: metrics, waits: waits)
    }
  }

  /// Writes the recording, when one is made.
  func finishRecording() throws { if let recorder { try recorder.recorder.write(to: recorder.path) } }
}
