public import AggregateCore
import AggregateJSON
import Synchronization

/// What a provider does that no provider may do.
public struct ProviderMistake: Error, CustomStringConvertible {
  /// What it did.
  public let description: String

  /// Creates a mistake.
  public init(_ description: String) { self.description = description }
}

/// Checks the laws that every provider obeys, with options and the answers to its requests.
///
/// The spec is complete and its example valid; the schema is known and stable; rows have its types and do
/// not depend on `jobs` nor on the order in which answers arrive; whoever wants no more rows is left
/// alone, requests included; failures and broken answers end in an ``AggregateError``.
///
/// - Parameters:
///   - yaml: The lines of a source without `provider:`.
///   - answers: What the service says; they must give at least one row.
///   - empty: Answers that hold nothing: no rows, and no error.
///   - sources: The rows of other declared sources.
/// - Throws: ``ProviderMistake`` for a law that does not hold, and what the provider throws.
public func checkProvider(
  _ type: any Provider.Type, _ yaml: String, answers: [RecordedClient.Answer],
  empty: [RecordedClient.Answer]? = nil, sources: [String: [Batch]] = [:]
) async throws {
  try checkSpec(type)
  let check = ProviderCheck(type: type, yaml: yaml, answers: answers, sources: sources)
  try await check.schemaAndTypes()
  try await check.jobsDoNotMatter()
  try await check.enoughEndsTheRun()
  try await check.cancellationStopsRequests()
  try await check.failuresAreErrors()
  if let empty {
    let batches = try await ProviderHarness.run(
      check.make(), RecordedClient(empty), sources: sources)
    let count = batches.reduce(0) { $0 + $1.rowCount }
    try check.require(count == 0, "answers that hold nothing give \(count) rows")
  }
}

/// Checks that the bundled samples answer every request that the options in `modes` lead to.
public func checkSamples(_ type: any Provider.Type, _ modes: [String]) async throws {
  for yaml in modes {
    let check = ProviderCheck(
      type: type, yaml: yaml, answers: RecordedClient.Answer.samples(of: type.spec), sources: [:])
    try await check.schemaAndTypes()
    try await check.jobsDoNotMatter()
  }
}

/// Checks that a provider describes itself completely.
public func checkSpec(_ type: any Provider.Type) throws {
  let spec = type.spec
  func require(_ holds: Bool, _ message: @autoclosure () -> String) throws {
    if !holds { throw ProviderMistake("\(spec.name): \(message())") }
  }
  try require(!spec.summary.isEmpty, "there is no summary")
  try checkOptions(spec.options, of: spec.name)
  let names = spec.columns.map(\.name)
  try require(Set(names).count == names.count, "column names repeat in the spec")
  for column in spec.columns {
    try require(
      !(column.description ?? "").isEmpty, "the column “\(column.name)” is not described")
  }
  for sample in spec.samples {
    try require(!sample.matching.isEmpty, "a sample answers everything")
    try require(!sample.body().isEmpty, "the sample for \(sample.matching) is empty")
  }
  try require(!spec.example.isEmpty, "there is no example")
  var environment: [String: String] = [:]
  for part in spec.example.split(separator: "${").dropFirst() {
    environment[String(part.prefix { $0.isLetter || $0.isNumber || $0 == "_" })] = "value"
  }
  let example =
    spec.example.hasPrefix("provider:")
    ? "src:\n" + spec.example.split(separator: "\n").map { "  \($0)\n" }.joined() : spec.example
  do {
    _ = try ProviderHarness.make(type, declaration: example, environment: environment)
  } catch let error as DiagnosticsError {
    let messages = error.diagnostics.map(\.rendered).joined(separator: "\n")
    throw ProviderMistake("\(spec.name): the example is wrong:\n\(messages)")
  }
}

private func checkOptions(_ options: [OptionSpec], of owner: String) throws {
  func require(_ holds: Bool, _ message: @autoclosure () -> String) throws {
    if !holds { throw ProviderMistake("\(owner): \(message())") }
  }
  let names = options.map(\.name)
  try require(Set(names).count == names.count, "option names repeat")
  for option in options {
    try require(!option.summary.isEmpty, "the option “\(option.name)” is not described")
    try require(
      !option.isRequired || option.defaultText == nil,
      "the option “\(option.name)” is required and has a default")
    if let text = option.defaultText {
      var diagnostics = Diagnostics()
      let place = SourceLocation(file: "spec", line: 1, column: 1)
      option.shape.check(
        .text(text, at: place, plain: true), name: option.name, into: &diagnostics)
      try require(
        !diagnostics.hasErrors,
        "the default of “\(option.name)” is wrong: \(diagnostics.all.map(\.message))")
    }
    try checkNested(option.shape, of: "\(owner).\(option.name)")
  }
}

private func checkNested(_ shape: Shape, of owner: String) throws {
  switch shape {
  case .object(let options): try checkOptions(options, of: owner)
  case .oneOf(let choices, let with): try checkOptions(choices + with, of: owner)
  case .list(let element, _): try checkNested(element, of: owner)
  case .map(let value, _): try checkNested(value, of: owner)
  case .either(let shapes): for shape in shapes { try checkNested(shape, of: owner) }
  default: break
  }
}

/// The laws for one provider with one set of options.
private struct ProviderCheck: Sendable {
  let type: any Provider.Type
  let yaml: String
  let answers: [RecordedClient.Answer]
  let sources: [String: [Batch]]

  func make() throws -> any Provider { try ProviderHarness.make(type, yaml) }

  func require(_ holds: Bool, _ message: @autoclosure () -> String) throws {
    if !holds { throw ProviderMistake("\(type.spec.name): \(message()), with\n\(yaml)") }
  }

  private func run(_ client: RecordedClient, jobs: Int = 8, limit: Int = .max) async throws
    -> [Batch]
  {
    try await ProviderHarness.run(make(), client, jobs: jobs, sources: sources, limit: limit)
  }

  func schemaAndTypes() async throws {
    let provider = try make()
    let schema = provider.schema
    try require(schema == (try make()).schema, "the schema differs from one making to the next")
    for column in schema?.columns ?? [] where !type.spec.columns.isEmpty {
      let described = type.spec.columns.first { $0.name == column.name }
      try require(described != nil, "the spec has no column “\(column.name)”")
      try require(
        described?.type == column.type,
        "“\(column.name)” is \(column.type.rawValue), in the spec another type")
    }
    let batches = try await ProviderHarness.run(provider, RecordedClient(answers), sources: sources)
    try require(provider.schema == schema, "the schema changed by running")
    try require(batches.contains { $0.rowCount > 0 }, "the answers give no rows")
    for batch in batches {
      if let schema { try require(batch.schema == schema, "a batch has (\(batch.schema))") }
      for (column, values) in zip(batch.schema.columns, batch.columns) {
        for row in 0..<batch.rowCount {
          let value = values.value(at: row)
          try require(
            Self.fits(value, column.type),
            "“\(column.name)” is \(column.type.rawValue), but row \(row) has \(value)")
        }
      }
    }
  }

  func jobsDoNotMatter() async throws {
    let expected = TestRows.shown(try await run(RecordedClient(answers), jobs: 1))
    for jobs in [1, 3, 16] {
      let client = RecordedClient(answers, scrambles: true)
      let rows = TestRows.shown(try await run(client, jobs: jobs))
      try require(rows == expected, "with \(jobs) jobs the rows are\n\(rows)\nnot\n\(expected)")
      // Parts are read side by side with the finding of further ones.
      try require(
        client.mostUnderWay <= jobs + 1, "\(client.mostUnderWay) requests at once with \(jobs) jobs"
      )
    }
  }

  func enoughEndsTheRun() async throws {
    let client = RecordedClient(answers, scrambles: true)
    let all = RecordedClient(answers)
    let total = TestRows.shown(try await run(all, jobs: 1)).count
    let rows = TestRows.shown(try await run(client, jobs: 1, limit: 1)).count
    try require(rows >= min(1, total), "no row comes when one is wanted")
    let count = client.requests.count
    try await Task.sleep(for: .milliseconds(30))
    try require(client.requests.count == count, "requests go on after enough rows")
    try require(count <= all.requests.count, "one row takes more requests than all")
  }

  func cancellationStopsRequests() async throws {
    let slow = answers.map { answer in
      var answer = answer
      answer.delay = .seconds(5)
      return answer
    }
    let client = RecordedClient(slow)
    let task = Task { try await run(client, jobs: 3) }
    // A provider that requests nothing is cancelled all the same, a little later.
    for _ in 0..<200 where client.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    let start = ContinuousClock.now
    let result = await task.result
    try require(ContinuousClock.now - start < .seconds(3), "it does not end when it is cancelled")
    if !client.requests.isEmpty, case .success = result {
      try require(false, "it ends without an error when it is cancelled")
    }
    let count = client.requests.count
    try await Task.sleep(for: .milliseconds(30))
    try require(client.requests.count == count, "requests go on after it was cancelled")
  }

  func failuresAreErrors() async throws {
    if try await usesNoRequests() { return }
    let refused = RecordedClient(
      answers.map { Self.changed($0, status: 500, body: Array("down".utf8)) })
    let error = try await failure(of: refused)
    try require(error != nil, "it succeeds when every answer is a failure")
    try require(
      error?.status == 500 || (error?.message.contains("500") ?? false),
      "the failure 500 is told as “\(error?.message ?? "")”")
    for cut in [0, 1, 10] {
      _ = try await failure(
        of: RecordedClient(answers.map { Self.changed($0, keeping: cut, of: 20) }))
    }
    for part in [5, 10, 15, 19] {
      _ = try await failure(
        of: RecordedClient(answers.map { Self.changed($0, keeping: part, of: 20) }))
    }
    for body in ["", "null", "[]", "{}", "\"text\"", "1", "[null]", "<html></html>", "\u{0}\u{1}"] {
      _ = try await failure(
        of: RecordedClient(answers.map { Self.changed($0, body: Array(body.utf8)) }))
    }
  }

  private func usesNoRequests() async throws -> Bool {
    let client = RecordedClient(answers)
    _ = try await run(client)
    return client.requests.isEmpty
  }

  /// The error that ends a run; nil when it gives rows. Another kind of error is a mistake.
  private func failure(of client: RecordedClient) async throws -> AggregateError? {
    do {
      _ = try await run(client, jobs: 3)
      return nil
    } catch let error as AggregateError {
      try require(!error.message.isEmpty, "an error says nothing")
      try require(error.source == "src", "an error does not name the source: \(error)")
      try require(error.code != .internal, "a bad answer is told as a defect: \(error)")
      return error
    } catch let error as ProviderMistake {
      throw error
    } catch {
      throw ProviderMistake("\(type.spec.name): a bad answer ends in \(error)")
    }
  }

  private static func changed(
    _ answer: RecordedClient.Answer, status: Int = 200, body: [UInt8]
  ) -> RecordedClient.Answer {
    var answer = answer
    answer.status = status
    answer.body = body
    return answer
  }

  private static func changed(
    _ answer: RecordedClient.Answer, keeping part: Int, of whole: Int
  ) -> RecordedClient.Answer {
    changed(answer, body: Array(answer.body.prefix(answer.body.count * part / whole)))
  }

  private static func fits(_ value: Value, _ type: ValueType) -> Bool {
    if value.isNull { return true }
    switch (type, value) {
    case (.any, _): return true
    case (.int, .int), (.number, .int), (.number, .double), (.number, .number), (.bool, .bool),
      (.text, .text), (.instant, .instant), (.date, .date):
      return true
    case (.int, .number(let text)): return Int64(text) != nil
    case (.instant, .text(let text)): return Instant(iso8601: text) != nil
    case (.date, .text(let text)): return CalendarDate(iso8601: text) != nil
    case (.list, .json(let text)):
      return text.utf8.first == UInt8(ascii: "[") && (try? JSONDocument(text)) != nil
    case (.json, .json(let text)): return (try? JSONDocument(text)) != nil
    case (.json, _): return true
    default: return false
    }
  }
}
