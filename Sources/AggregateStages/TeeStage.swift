internal import AggregateCore

/// Writes a copy of the rows to a file.
struct TeeStage: Stage {
  static let spec = StageSpec(
    "tee", "Write a copy of the rows to a file and pass them on.",
    options: [
      OptionSpec(
        "to", .text, required: true, "The file; its extension tells the format.",
        example: "out.ndjson")
    ],
    shorthand: .value("to"), positionals: ["to"],
    discussion:
      "The file holds the rows that passed: all, unless a later stage stopped the stream.",
    example: "tee: out.ndjson")

  private let path: String

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    path = options.text("to") ?? ""
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    .stream(output: schema) { [path] in
      TeeTransform(try context.openOutput(path, schema))
    }
  }
}

private final class TeeTransform: StreamTransform {
  private var output: (any StageOutput)?

  init(_ output: any StageOutput) { self.output = output }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    try output?.write(batch)
    if try emit(batch) == .more { return .more }
    try close()
    return .enough
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws { try close() }

  private func close() throws {
    try output?.finish()
    output = nil
  }
}
