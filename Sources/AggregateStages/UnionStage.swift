internal import AggregateCore

/// Adds the rows of other sources or files behind those of the input.
struct UnionStage: Stage {
  static let spec = StageSpec(
    "union", "Add the rows of other sources or files; columns are matched by name.",
    options: [
      OptionSpec(
        "with", .list(of: .text, orSingle: true), required: true,
        "Names of sources, or paths of files.", example: "[other_source]")
    ],
    shorthand: .value("with"), positionals: ["with"],
    discussion: """
      The columns are those of the input, then the new ones of each further source. A column that a \
      source does not have is absent in its rows.
      """,
    example: "union: [other_source]")

  let sideInputs: [SideInput]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    sideInputs = NameList.names(options, "with").map {
      SideInput(name: $0.text, location: $0.location, order: .afterMain)
    }
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let output = sides.reduce(schema) { $0.union($1) }
    return .stream(output: output) { UnionTransform(output) }
  }
}

private final class UnionTransform: StreamTransform {
  private let output: Schema

  init(_ output: Schema) { self.output = output }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    try emit(batch.conformed(to: output))
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {}
}
