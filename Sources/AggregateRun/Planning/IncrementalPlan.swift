import AggregateConfig
import AggregateCore

/// How a source asks for what is new, and what is kept of the runs before.
struct IncrementalPlan {
  let options: SourceOptions.Incremental
  /// What is kept, by partition.
  let kept: [IncrementalTracker.Standing]
  /// Where a partition without a cursor begins; nil for everything there is.
  let start: String?
  /// Whether requests say since when; else older rows are left out on their way.
  let isAsked: Bool
  /// Whether the cursors stay where they are, since not all rows are wanted.
  let staysPut: Bool

  /// - Throws: ``AggregateError`` when the state can't be read.
  init(
    _ options: SourceOptions.Incremental, _ tracker: IncrementalTracker?, isAsked: Bool,
    staysPut: Bool
  ) throws {
    self.options = options
    kept = try tracker?.standings() ?? []
    start = tracker?.start
    self.isAsked = isAsked
    self.staysPut = staysPut
  }

  /// For people.
  var lines: [String] {
    var how = "by \(options.cursor.text)"
    if !isAsked {
      how += ", older rows are left out as they come"
    } else if let query = options.query {
      how += ", sent as “\(query)”"
      if let until = options.untilQuery { how += " and “\(until)”" }
    } else {
      how += ", sent where {since} stands"
    }
    if options.format != "iso" { how += ", written as \(options.format)" }
    if let lag = options.lag { how += ", from \(PlanText.duration(lag)) before the cursor" }
    if let step = options.step { how += ", \(PlanText.duration(step)) at a time" }
    if !options.key.isEmpty {
      how += ", each \(options.key.map(\.text).joined(separator: ", ")) once"
    }
    var lines = ["incremental: \(how)"]
    if kept.isEmpty {
      lines.append("cursor: none yet" + (start.map { ", starts at \($0)" } ?? ""))
    }
    for part in kept.prefix(PlanText.shown) {
      lines.append(
        "cursor: \(part.partition.isEmpty ? "" : "\(part.partition): ")\(part.value)"
          + (part.next.map { ", the next run begins at \($0)" } ?? ""))
    }
    if kept.count > PlanText.shown { lines.append("… \(kept.count - PlanText.shown) more cursors") }
    if staysPut { lines.append("cursor: stays where it is, for not all rows are wanted") }
    return lines
  }

  /// For programs.
  var value: PlanValue {
    .object([
      ("cursor", .text(options.cursor.text)), ("query", PlanValue(options.query)),
      ("until_query", PlanValue(options.untilQuery)), ("format", .text(options.format)),
      ("asked", .bool(isAsked)), ("start", PlanValue(start)), ("lag", PlanValue(options.lag)),
      ("step", PlanValue(options.step)), ("key", PlanValue(options.key.map(\.text))),
      ("moves", .bool(!staysPut)),
      (
        "partitions",
        .list(
          kept.map { part in
            .object([
              ("partition", .text(part.partition)), ("value", .text(part.value)),
              ("next", PlanValue(part.next)), ("updated", .text(part.updated.iso8601)),
            ])
          })
      ),
    ])
  }
}
