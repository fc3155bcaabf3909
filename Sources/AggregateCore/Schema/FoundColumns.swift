/// The columns that some records have, in the order in which they first come up.
public struct FoundColumns: Sendable {
  /// The columns.
  public private(set) var specs: [ColumnSpec] = []
  private var names: Set<String> = [Schema.overflowName]
  /// How many records there were.
  public var count = 0
  /// Whether they are rows of a format that has columns of its own.
  public var isTable = false

  /// No columns.
  public init() {}

  /// Adds a column, unless there is one of its name.
  public mutating func add(_ spec: ColumnSpec) {
    if names.insert(spec.name).inserted { specs.append(spec) }
  }
}
