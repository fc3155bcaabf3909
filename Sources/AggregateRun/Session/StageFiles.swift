import AggregateCore
import AggregateFormats
import Synchronization

/// Opens the files that stages write beside the stream, in the format that their extension tells.
final class StageFiles: Sendable {
  private let settings: RunSettings
  private let log: RunLog
  private let redactor: Redactor
  private let open = Mutex<Set<String>>([])

  init(_ settings: RunSettings, _ log: RunLog, _ redactor: Redactor) {
    self.settings = settings
    self.log = log
    self.redactor = redactor
  }

  /// Opens the file at `path` for rows of `schema`.
  ///
  /// - Throws: ``AggregateError`` when the extension tells no format, another stage is writing the
  ///   file, or it can't be created.
  func open(_ path: String, _ schema: Schema) throws -> any StageOutput {
    if path == "-" {
      throw AggregateError(
        .configuration, "a stage can't write to standard output, where the rows go",
        hint: "name a file, such as rows.ndjson")
    }
    var factory = OutputFactory(settings.output, policy: .error, stream: "rows")
    factory.path = path
    factory.format = nil
    if !factory.isDatabase { _ = try factory.formatName() }
    let name = FileInputs.absolute(path)
    guard open.withLock({ $0.insert(name).inserted }) else {
      throw AggregateError(.configuration, "two stages write to “\(path)”")
    }
    do {
      let (output, sink) = try factory.open(log: log, redactor: redactor, hasColor: false)
      try output.begin(schema)
      return StageFile(output, sink) { self.open.withLock { _ = $0.remove(name) } }
    } catch {
      open.withLock { _ = $0.remove(name) }
      throw error
    }
  }
}

/// One file of a stage; without ``finish()`` nothing of it stays.
private final class StageFile: StageOutput {
  private let output: any RunOutput
  private let sink: any OutputCommit
  private let close: () -> Void
  private var isFinished = false

  init(_ output: any RunOutput, _ sink: any OutputCommit, close: @escaping () -> Void) {
    self.output = output
    self.sink = sink
    self.close = close
  }

  deinit {
    if isFinished { return }
    sink.discard()
    close()
  }

  func write(_ batch: Batch) throws { _ = try output.take(batch) }

  func finish() throws {
    if isFinished { return }
    try output.finish(isComplete: true)
    isFinished = true
    close()
    try sink.commit()
  }
}
