internal import AggregateCore

/// Puts the columns of another source or file beside rows with the same key.
struct JoinStage: Stage {
  static let spec = StageSpec(
    "join", "Put the columns of another source or file beside the rows with the same key.",
    options: [
      OptionSpec(
        "with", .text, required: true, "A source, or the path of a file.", example: "cities.csv"),
      OptionSpec(
        "on",
        .either([.list(of: .text, orSingle: true), .map(of: .text, keys: "column of the input")]),
        "Columns that both have, or pairs of an input column and a column of the other.",
        example: "[city]"),
      OptionSpec(
        "kind", .choice(JoinKind.allCases.map(\.rawValue)), default: "inner",
        "Which rows come out.", example: "left"),
      OptionSpec(
        "as_of", .either([.text, .map(of: .text, keys: "column of the input")]),
        "With kind asof: the column by which the nearest earlier row of the other is taken.",
        example: "time"),
      OptionSpec(
        "suffix", .text, default: "_other",
        "What is put behind the names of the other's columns that the input has too.",
        example: "_city"),
    ],
    shorthand: .none, positionals: ["with"],
    discussion: """
      inner keeps the pairs; left keeps input rows without a partner too, right the other's rows, full \
      both; semi keeps the input rows that have a partner, anti those that have none, and neither adds \
      columns; asof keeps every input row, beside the last row of the other with the same key whose \
      as_of value is not greater. Null never matches anything. The other is read first and kept in \
      memory, or past --max-memory on disk, where both are then joined in parts; pairs \
      come in the order of the input, then in the order of the other.
      """,
    example: "join: { with: cities.csv, on: [city], kind: left }")

  private let with: LocatedText
  private let left: [LocatedText]
  private let right: [LocatedText]
  private let kind: JoinKind
  private let leftTime: LocatedText?
  private let rightTime: LocatedText?
  private let suffix: String
  private let location: SourceLocation

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    with = LocatedText(options.text("with") ?? "", at: options.location("with"))
    location = options.location("on")
    kind = options.text("kind").flatMap(JoinKind.init(rawValue:)) ?? .inner
    suffix = options.text("suffix") ?? "_other"
    (left, right) = Self.pairs(options.given("on"))
    let (leftTimes, rightTimes) = Self.pairs(options.given("as_of"))
    leftTime = leftTimes.first
    rightTime = rightTimes.first
    if left.isEmpty && kind != .asof {
      diagnostics.error(
        "missing-key", "“join”: the key “on” is missing", at: location,
        hint: "name the columns that must be equal, such as on: [city]")
    }
    if (kind == .asof) != (leftTime != nil) {
      diagnostics.error(
        "join-as-of", "“join”: the kind asof and the option as_of belong together",
        at: options.location(kind == .asof ? "kind" : "as_of"),
        hint: "write kind: asof, as_of: time")
    }
  }

  private static func pairs(_ node: Node?) -> ([LocatedText], [LocatedText]) {
    guard let node else { return ([], []) }
    if let entries = node.mapping {
      return (
        entries.map { LocatedText($0.key, at: $0.location) },
        entries.compactMap { LocatedText($0.value) }
      )
    }
    let names = NameList.names(of: node)
    return (names, names)
  }

  var sideInputs: [SideInput] {
    [SideInput(name: with.text, location: with.location, order: .beforeMain)]
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    guard let other = sides.first else {
      throw AggregateError(.internal, "join was bound without its other side")
    }
    let leftKeys = try schema.resolve(left)
    let rightKeys = try other.resolve(right)
    var plan = JoinPlan(
      kind: kind, left: schema, other: other, leftKeys: leftKeys, rightKeys: rightKeys)
    plan.leftTime = try leftTime.map { try schema.resolve($0) }
    plan.rightTime = try rightTime.map { try other.resolve($0) }
    try plan.makeOutput(suffix: suffix, at: location)
    return .stream(output: plan.output) { [plan] in JoinTransform(plan, context) }
  }
}
