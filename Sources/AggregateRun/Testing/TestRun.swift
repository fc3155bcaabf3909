package import AggregateConfig
package import AggregateCore

/// Runs one entry of `tests:` offline and compares what comes out with what was expected.
package struct TestRun {
  private let test: TestDeclaration
  private let configuration: Configuration
  private let loader: ConfigurationLoader
  private let stages: StageRegistry
  private let redactor: Redactor

  /// Creates a run of `test`, which `configuration` declares.
  package init(
    _ test: TestDeclaration, in configuration: Configuration, _ loader: ConfigurationLoader,
    stages: StageRegistry, redactor: Redactor
  ) {
    self.test = test
    self.configuration = configuration
    self.loader = loader
    self.stages = stages
    self.redactor = redactor
  }

  /// What was expected and not found; empty when the test passes.
  package func run() async -> [String] {
    let rows = CollectedRows()
    var exit: Int32
    var errors: [any Error]
    var policy = NewColumnPolicy.error
    do {
      try test.unresolved.throwIfErrors()
      let prepared = try prepare()
      policy = prepared.output.policy
      let execution = RunExecution(prepared, start: .now)
      try execution.check()
      let outcome = await execution.execute(into: rows, rows)
      (exit, errors) = (outcome.exit, outcome.errors)
    } catch {
      (exit, errors) = (ExitCode.of(error), [error])
    }
    var mistakes: [String] = []
    let wanted = test.expect?.exit ?? 0
    if Int(exit) != wanted {
      let reason = errors.flatMap(Self.messages).joined(separator: "; ")
      mistakes.append(
        "exit: expected \(wanted), found \(exit)" + (reason.isEmpty ? "" : " (\(reason))"))
      // Where the run failed, what it did not give is no news.
      if wanted == 0 { return mistakes }
    }
    guard let expect = test.expect else { return mistakes }
    do {
      mistakes += try compare(rows, expect, policy)
    } catch {
      mistakes += Self.messages(error)
    }
    return mistakes
  }

  private func prepare() throws -> PreparedRun {
    guard let name = test.run?.text else {
      throw AggregateError(.configuration, "the test says not what to run")
    }
    var settings = RunSettings()
    settings.replay = test.replay.map(path)
    settings.usesSamples = test.sample
    settings.parameters = test.params.map { (name: $0, value: $1) }
    let context = RunContext(
      settings, stages: stages, log: RunLog(level: .quiet, isStrict: false) { _ in },
      redactor: redactor, observer: SilentObserver())
    return try PreparedRun(
      [RunTarget.named(name, in: configuration)], in: configuration, loader, context,
      isIsolated: true)
  }

  /// A path of the file, which begins at the folder of the file.
  private func path(_ text: String) -> String {
    text.hasPrefix("/") ? text : "\(configuration.directory)/\(text)"
  }

  private func compare(
    _ rows: CollectedRows, _ expect: TestDeclaration.Expectation, _ policy: NewColumnPolicy
  ) throws -> [String] {
    var mistakes: [String] = []
    if let wanted = expect.rows, wanted != rows.rowCount {
      mistakes.append("rows: expected \(wanted), found \(rows.rowCount)")
    }
    if expect.columns != nil || !expect.contains.isEmpty {
      let (columns, batches) = try rows.flat(policy)
      if let wanted = expect.columns, wanted != columns {
        mistakes.append(
          "columns: expected \(wanted.joined(separator: ", ")), found "
            + columns.joined(separator: ", "))
      }
      for node in expect.contains {
        let row = ExpectedRow(node)
        let isFound =
          batches.contains(where: row.matches) || rows.batches.contains(where: row.matches)
        if isFound { continue }
        let missing = row.missingColumns(Schema(columns.map { ColumnSpec($0) }))
        mistakes.append(
          "contains: no row of \(rows.rowCount) has \(row.shown)"
            + (missing.isEmpty || columns.isEmpty
              ? "" : "; there is no column \(missing.joined(separator: ", "))"))
      }
    }
    if let file = expect.csv {
      do {
        let wanted = try TextFile.read(path(file))
        if let difference = Self.difference(expected: wanted, found: try rows.csv(policy)) {
          mistakes.append("csv \(file): \(difference)")
        }
      } catch {
        mistakes += Self.messages(error)
      }
    }
    return mistakes
  }

  /// The first line that differs; nil when none does. Line endings and a last one are not compared.
  static func difference(expected: String, found: String) -> String? {
    func lines(_ text: String) -> [Substring] {
      var text = text[...]
      if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
      var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      if lines.last == "" { lines.removeLast() }
      return lines
    }
    let (wanted, given) = (lines(expected), lines(found))
    for index in 0..<max(wanted.count, given.count) {
      let left = index < wanted.count ? "“\(wanted[index])”" : "nothing more"
      let right = index < given.count ? "“\(given[index])”" : "nothing more"
      if left != right { return "line \(index + 1): expected \(left), found \(right)" }
    }
    return nil
  }

  private static func messages(_ error: any Error) -> [String] {
    switch error {
    case let error as DiagnosticsError: error.diagnostics.map(\.message)
    case let error as AggregateError: [error.description]
    default: ["\(error)"]
    }
  }
}
