import AggregateCore
import AggregateJSON

/// Values inside nested values.
enum NestedAccess {
  /// What lies at `path` inside each value of `column`; absent where there is nothing.
  static func column(_ column: Column, path: [String]) -> Column {
    if path.isEmpty { return column }
    guard case .spans(let spans) = column else { return .nulls(column.count, .absent) }
    return .spans(NestedValues.extract(spans, path: path))
  }
}
