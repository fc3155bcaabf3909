import AggregateCore
import AggregateTestSupport
import Testing

/// A provider of one row per part that breaks the law named by its option.
private struct FaultyProvider: Provider {
  enum Fault: String, CaseIterable {
    case none, arrival, type, foreign, schema, column, swallows, stubborn, unlimited
  }

  static let spec = ProviderSpec(
    "faulty", "one row per part",
    options: [
      OptionSpec(
        "fault", .choice(Fault.allCases.map(\.rawValue)), default: "none", "What is wrong.")
    ],
    columns: [ColumnSpec("part", .int, description: "The number of the part.")],
    example: "faulty:\n  provider: faulty")

  let fault: Fault
  let schema: Schema?

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    fault = options.text("fault").flatMap(Fault.init) ?? .none
    schema = Schema([ColumnSpec(fault == .column ? "other" : "part", .int)])
  }

  private func row(_ part: Int) -> Batch {
    var rows = BatchBuilder(
      schema: Schema([ColumnSpec(fault == .schema ? "changed" : "part", .int)]))
    if fault == .type { rows.append("one") } else { rows.append(part) }
    rows.endRow()
    return rows.finish()
  }

  private func read(_ part: Int, _ context: ProviderContext) async throws {
    guard let url = WebURL("http://h/\(part)") else { return }
    do {
      let response = try await context.http.send(HTTPRequest("GET", url))
      guard response.body.text == "ok" else { throw AggregateError(.badData, "no “ok”") }
    } catch {
      switch fault {
      case .swallows: break
      case .stubborn where error is CancellationError:
        // Asks again although nobody wants an answer.
        _ = try? await Task { try await context.http.send(HTTPRequest("GET", url)) }.value
        throw error
      case .foreign where !(error is CancellationError): throw FlowMistake()
      default: throw error
      }
    }
    try await context.emit(row(part))
  }

  private struct FlowMistake: Error {}

  func rows(_ context: ProviderContext) async throws {
    switch fault {
    case .arrival:
      try await withThrowingTaskGroup(of: Void.self) { group in
        for part in 1...6 { group.addTask { try await read(part, context) } }
        try await group.waitForAll()
      }
    case .unlimited:
      for part in 1...6 {
        do { try await read(part, context) } catch is CancellationError {}
      }
    default:
      try await OrderedParts.run(
        context, produce: { yield in for part in 1...6 { try await yield(part) } },
        read: { part, context in try await read(part, context) })
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct ProviderConformanceTests {
  private let answers: [RecordedClient.Answer] = [.to("h/", giving: "ok")]

  @Test func goodProviderObeysTheLaws() async throws {
    try await checkProvider(FaultyProvider.self, "", answers: answers)
  }

  @Test(arguments: [
    ("arrival", "jobs"), ("type", "“part” is int, but row 0 has"),
    ("schema", "a batch has (changed"),
    ("foreign", "a bad answer ends in"), ("column", "the spec has no column “other”"),
    ("swallows", "it succeeds when every answer is a failure"),
    ("stubborn", "it does not end when it is cancelled"),
    ("unlimited", "it ends without an error when it is cancelled"),
  ])
  func everyBrokenLawIsFound(_ fault: String, _ message: String) async {
    let mistake = await #expect(throws: ProviderMistake.self) {
      try await checkProvider(FaultyProvider.self, "fault: \(fault)", answers: answers)
    }
    #expect(mistake?.description.contains(message) == true, "\(mistake as Any)")
  }

  @Test func rowsOfAnswersThatHoldNothingAreFound() async {
    let mistake = await #expect(throws: ProviderMistake.self) {
      try await checkProvider(FaultyProvider.self, "", answers: answers, empty: answers)
    }
    #expect(mistake?.description.contains("answers that hold nothing give 6 rows") == true)
  }

  @Test func missingSamplesAreFound() async {
    await #expect(throws: AggregateError.self) { try await checkSamples(FaultyProvider.self, [""]) }
  }
}
