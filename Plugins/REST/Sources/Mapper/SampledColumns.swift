internal import AggregateCore

/// The columns that some records have, in the order in which they first come up.
struct SampledColumns: Sendable {
  private(set) var specs: [ColumnSpec] = []
  private var names: Set<String> = [Schema.overflowName]
  /// How many records there were.
  var count = 0
  /// Whether they are rows of a format that has columns of its own.
  var isTable = false

  /// Adds a column, unless there is one of its name.
  mutating func add(_ spec: ColumnSpec) {
    if names.insert(spec.name).inserted { specs.append(spec) }
  }
}
