internal import AggregateCore

/// What a join needs to know of both schemas.
struct JoinPlan: Sendable {
  let kind: JoinKind
  let left: Schema
  let other: Schema
  let leftKeys: [ColumnReference]
  let rightKeys: [ColumnReference]
  var leftTime: ColumnReference?
  var rightTime: ColumnReference?
  /// The columns of the other that come out, by index.
  private(set) var carried: [Int] = []
  /// Whether the last carried column is the overflow of the other, which goes to that of the output.
  private(set) var carriesOverflow = false
  /// What is kept of the other: the carried columns, its keys, and its time for asof.
  private(set) var keptSchema = Schema([])
  /// The schema of what comes out.
  private(set) var output = Schema([])

  init(
    kind: JoinKind, left: Schema, other: Schema, leftKeys: [ColumnReference],
    rightKeys: [ColumnReference]
  ) {
    self.kind = kind
    self.left = left
    self.other = other
    self.leftKeys = leftKeys
    self.rightKeys = rightKeys
  }

  /// The key columns are not carried: they have the values that the input's have.
  mutating func makeOutput(suffix: String, at location: SourceLocation) throws {
    defer {
      let count = carried.count + rightKeys.count + (rightTime == nil ? 0 : 1)
      keptSchema = Schema((0..<count).map { ColumnSpec("\($0)") })
    }
    guard kind.addsColumns else {
      output = left
      return
    }
    let keys = Set(rightKeys.filter { $0.subpath.isEmpty }.map(\.index))
    carried = other.columns.indices.filter { !keys.contains($0) }
    // A closed input may have a column of that name; the other's is then one like others.
    carriesOverflow =
      other.isOpen && carried.last == other.columns.count - 1
      && (left.isOpen || left.index(of: Schema.overflowName) == nil)
    var columns: [ColumnSpec] = []
    for index in carriesOverflow ? carried.dropLast() : carried[...] {
      var column = other.columns[index]
      if left.index(of: column.name) != nil {
        column.name += suffix
        column.path = nil
      }
      columns.append(column)
    }
    var overflow: [ColumnSpec] = []
    var own = left.columns
    if left.isOpen, let last = own.popLast() {
      overflow = [last]
    } else if carriesOverflow {
      overflow = other.columns.suffix(1)
    }
    for (key, index) in zip(leftKeys, rightKeys) where kind.keepsUnmatchedRight {
      guard key.subpath.isEmpty, key.index < own.count else { continue }
      if other.columns[index.index].type != own[key.index].type { own[key.index].type = .any }
    }
    let all = try left.replacing(own + columns + overflow, at: location)
    output = carriesOverflow ? Schema(all.columns, isOpen: true) : all
  }
}
