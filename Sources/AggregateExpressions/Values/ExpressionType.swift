import AggregateCore

/// The type of a part of an expression.
enum ExpressionType: Sendable, Hashable {
  case null
  case bool
  case int
  /// Exact; only constants have it.
  case decimal
  case double
  /// Integers and real numbers, cell by cell.
  case number
  case text
  case instant
  case date
  case interval
  case json
  /// Whatever each cell is.
  case any

  init(_ type: ValueType) {
    switch type {
    case .any: self = .any
    case .int: self = .int
    case .number: self = .number
    case .bool: self = .bool
    case .text: self = .text
    case .instant: self = .instant
    case .date: self = .date
    case .json, .list: self = .json
    }
  }

  /// The type of a column that holds such values.
  var columnType: ValueType {
    switch self {
    case .null, .any: .any
    case .bool: .bool
    case .int: .int
    case .decimal, .double, .number: .number
    case .text, .interval: .text
    case .instant: .instant
    case .date: .date
    case .json: .json
    }
  }

  var isNumeric: Bool {
    switch self {
    case .int, .decimal, .double, .number: true
    default: false
    }
  }

  var isTime: Bool { self == .instant || self == .date }

  /// Whether only the cells can tell what it is.
  var isOpen: Bool { self == .any || self == .json }

  /// How a message calls it.
  var shown: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .int: "an integer"
    case .decimal, .double, .number: "a number"
    case .text: "text"
    case .instant: "a point in time"
    case .date: "a date"
    case .interval: "an interval"
    case .json: "JSON"
    case .any: "any value"
    }
  }

  /// The type that both have or are converted to when one of them is chosen.
  static func unified(_ a: ExpressionType, _ b: ExpressionType) -> ExpressionType {
    if a == b { return a }
    if a == .null { return b }
    if b == .null { return a }
    if a.isNumeric && b.isNumeric {
      return a == .number || b == .number ? .number : .double
    }
    if a.isTime && b.isTime { return .instant }
    return .any
  }
}

enum TypeHint {
  static func text(for name: String) -> String {
    Suggestions.hint(for: name, in: CastTarget.names)
  }
}
