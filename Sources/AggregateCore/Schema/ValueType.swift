/// The type of a column, as declared or as computed.
public enum ValueType: String, Sendable, Hashable, CaseIterable {
  /// Not declared: each cell is what it was read as.
  case any
  /// An exact integer.
  case int
  /// An integer or a real number.
  case number
  /// A boolean.
  case bool
  /// Text; digits in it stay text.
  case text
  /// A point in time, UTC.
  case instant
  /// A calendar date.
  case date
  /// Any JSON value, kept as it is.
  case json
  /// A JSON array.
  case list

  /// The names that a declaration may use.
  public static let declarable = allCases.filter { $0 != .any }.map(\.rawValue)
}
