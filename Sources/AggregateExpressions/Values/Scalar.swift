import AggregateCore

/// One value of an expression, known when it is compiled.
enum Scalar: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int64)
  case decimal(ExactDecimal)
  case double(Double)
  case text(String)
  case instant(Instant)
  case date(CalendarDate)
  case interval(Interval)
  case json(String)

  /// A number as it is written in an expression: integer, exact decimal, or with an exponent real.
  init(literal text: String) {
    if let value = Int64(text) {
      self = .int(value)
    } else if let value = ExactDecimal(text) {
      self = .decimal(value)
    } else {
      self = .double(Double(text.hasPrefix(".") ? "0" + text : text) ?? .infinity)
    }
  }

  var type: ExpressionType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .decimal: .decimal
    case .double: .double
    case .text: .text
    case .instant: .instant
    case .date: .date
    case .interval: .interval
    case .json: .json
    }
  }

  /// The text that a cast to text gives; nil for null.
  var text: String? {
    switch self {
    case .null: nil
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .decimal(let value): value.description
    case .double(let value): NumberText.shortest(value)
    case .text(let value), .json(let value): value
    case .instant(let value): value.iso8601
    case .date(let value): value.iso8601
    case .interval(let value): value.description
    }
  }
}
