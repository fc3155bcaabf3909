/// One value on its own, for places where speed does not matter: tests, messages, literals, keys.
///
/// Rows never flow as `Value`s; they flow as columns.
public enum Value: Sendable, Hashable {
  /// No such field.
  case absent
  /// No value.
  case null
  /// A boolean.
  case bool(Bool)
  /// An exact integer.
  case int(Int64)
  /// A real number.
  case double(Double)
  /// A number that was read, as its text; it may be too large for `int` or `double`.
  case number(String)
  /// Text.
  case text(String)
  /// A point in time.
  case instant(Instant)
  /// A calendar date.
  case date(CalendarDate)
  /// A list or an object, as JSON text.
  case json(String)

  /// Whether it is absent or null.
  public var isNull: Bool { self == .absent || self == .null }

  /// The text a reader of a CSV cell or a message sees; null and absent give the empty text.
  public var displayText: String {
    switch self {
    case .absent, .null: ""
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .double(let value): NumberText.shortest(value)
    case .number(let text), .text(let text), .json(let text): text
    case .instant(let value): value.iso8601
    case .date(let value): value.iso8601
    }
  }
}
