internal import AggregateCore

/// Checks what needs more than one entry: names of other sources, and stages against the columns of
/// their input as far as these are known without asking anybody.
struct ConfigurationCheck {
  private let configuration: Configuration
  private let stages: StageRegistry

  init(_ configuration: Configuration, stages: StageRegistry) {
    self.configuration = configuration
    self.stages = stages
  }

  /// What is known of the rows that a source gives.
  private enum Output {
    case known(Schema)
    case unknown
    /// It is being found out: the sources take their rows from each other.
    case pending
  }

  func run(_ diagnostics: inout Diagnostics) {
    checkNames(&diagnostics)
    var outputs: [String: Output] = [:]
    for source in configuration.sources {
      _ = output(of: source, &outputs, &diagnostics)
    }
    for pipeline in configuration.pipelines {
      check(pipeline, &outputs, &diagnostics)
    }
    let runnable = sourceNames + configuration.pipelines.map(\.name)
    for test in configuration.tests {
      guard let run = test.run, !runnable.contains(run.text), !test.unresolved.hasErrors else {
        continue
      }
      diagnostics.error(
        "unknown-source", "there is no source or pipeline “\(run.text)”", at: run.location,
        hint: Suggestions.hint(for: run.text, in: runnable))
    }
  }

  private var sourceNames: [String] { configuration.sources.map(\.name) }

  private func checkNames(_ diagnostics: inout Diagnostics) {
    for pipeline in configuration.pipelines where configuration.source(pipeline.name) != nil {
      diagnostics.error(
        "duplicate-name", "“\(pipeline.name)” is the name of a source, too",
        at: pipeline.location)
    }
  }

  private func unknown(_ name: LocatedText, _ diagnostics: inout Diagnostics) {
    diagnostics.error(
      "unknown-source", "there is no source “\(name.text)”", at: name.location,
      hint: Suggestions.hint(for: name.text, in: sourceNames))
  }

  private func output(
    of source: SourceDeclaration, _ outputs: inout [String: Output],
    _ diagnostics: inout Diagnostics
  ) -> Output {
    if let known = outputs[source.name] { return known }
    outputs[source.name] = .pending
    let result = findOutput(of: source, &outputs, &diagnostics)
    outputs[source.name] = result
    return result
  }

  private func findOutput(
    of source: SourceDeclaration, _ outputs: inout [String: Output],
    _ diagnostics: inout Diagnostics
  ) -> Output {
    // What is wrong only in a run is not told here.
    var unresolved = Diagnostics()
    let provider: (any Provider)?
    if source.unresolved.hasErrors {
      provider = nil
    } else {
      provider = source.makeProvider(&unresolved)
      diagnostics.add(contentsOf: unresolved)
    }
    for name in provider?.sourceReferences ?? [] {
      guard let other = configuration.source(name.text) else {
        unknown(name, &diagnostics)
        continue
      }
      if case .pending = output(of: other, &outputs, &diagnostics) {
        diagnostics.error(
          "source-cycle", "“\(source.name)” takes rows from “\(name.text)”, which needs its rows",
          at: name.location)
      }
    }
    if source.unresolved.hasErrors { return .unknown }
    var made = source.makeStages(from: stages, &diagnostics)
    let isComplete = made.count == source.options.stages.count
    if let expectation = source.makeExpectation(from: stages, &diagnostics) {
      made.append(expectation)
    }
    let input: Output = provider?.schema.map { .known($0) } ?? .unknown
    return bind(
      made, isComplete: isComplete, to: input, in: source.name, &outputs, &diagnostics)
  }

  private func check(
    _ pipeline: PipelineDeclaration, _ outputs: inout [String: Output],
    _ diagnostics: inout Diagnostics
  ) {
    guard !pipeline.unresolved.hasErrors else { return }
    var inputs: [Schema]? = []
    for name in pipeline.merge {
      guard let source = configuration.source(name.text) else {
        unknown(name, &diagnostics)
        inputs = nil
        continue
      }
      if case .known(let schema) = output(of: source, &outputs, &diagnostics) {
        inputs?.append(schema)
      } else {
        inputs = nil
      }
    }
    let made = pipeline.stages.compactMap { stages.make($0, &diagnostics) }
    let isComplete = made.count == pipeline.stages.count
    let input: Output = inputs.map { .known(Schema.union($0).withSourceColumn()) } ?? .unknown
    _ = bind(made, isComplete: isComplete, to: input, in: pipeline.name, &outputs, &diagnostics)
  }

  /// Binds stages one after the other, as far as the columns are known; names of other sources are
  /// checked in any case.
  private func bind(
    _ made: [any Stage], isComplete: Bool, to input: Output, in name: String,
    _ outputs: inout [String: Output], _ diagnostics: inout Diagnostics
  ) -> Output {
    var current = isComplete ? input : .unknown
    let context = StageContext(
      log: .silent, maxMemory: 64_000_000, temporaryDirectory: "/tmp")
    for stage in made {
      var sides: [Schema]? = []
      for side in stage.sideInputs {
        guard let source = configuration.source(side.name) else {
          if !isFile(side.name) {
            unknown(LocatedText(side.name, at: side.location), &diagnostics)
          }
          sides = nil
          continue
        }
        switch output(of: source, &outputs, &diagnostics) {
        case .known(let schema): sides?.append(schema)
        case .unknown: sides = nil
        case .pending:
          sides = nil
          diagnostics.error(
            "source-cycle", "“\(name)” takes rows from “\(side.name)”, which needs its rows",
            at: side.location)
        }
      }
      guard case .known(let schema) = current, let sides else {
        current = .unknown
        continue
      }
      do {
        current = .known(try stage.bind(schema, sides: sides, context).output)
      } catch let error as DiagnosticsError {
        for diagnostic in error.diagnostics { diagnostics.add(diagnostic) }
        current = .unknown
      } catch let error as AggregateError {
        diagnostics.error("stage", error.message, at: error.location, hint: error.hint)
        current = .unknown
      } catch {
        diagnostics.error("stage", "\(name): \(error)", at: nil)
        current = .unknown
      }
    }
    return current
  }

  /// Whether a name can only mean a file: it has a folder or an extension, or there is such a file.
  private func isFile(_ name: String) -> Bool {
    name.contains("/") || name.contains(".") || RegularFile.exists(name)
  }
}
