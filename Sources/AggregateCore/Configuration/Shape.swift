/// What a value of the configuration may be.
///
/// Shapes are the only description of the configuration: checking, messages, JSON Schema, reference
/// pages and completion all derive from them.
public indirect enum Shape: Sendable {
  /// Any text; numbers and `no`, `on`, `012` are text too.
  case text
  /// Text in which `{name}` is replaced; `{{` and `}}` are literal braces.
  case template
  /// A whole number within a range.
  case int(ClosedRange<Int>)
  /// A number.
  case number
  /// A boolean.
  case bool
  /// A number with a unit of time.
  case duration
  /// A number with a unit of size.
  case size
  /// A count per unit of time.
  case rate
  /// One of these words.
  case choice([String])
  /// A list; with `orSingle`, one element may stand without the list.
  case list(of: Shape, orSingle: Bool)
  /// A mapping with free keys.
  case map(of: Shape, keys: String)
  /// A mapping with these keys.
  case object([OptionSpec])
  /// A mapping with exactly one of the first keys, and any of the second.
  case oneOf([OptionSpec], with: [OptionSpec])
  /// The first of these whose form (scalar, list, mapping) is the one found.
  case either([Shape])
  /// Text that must parse as what `kind` names; `check` gives the mistake and where in the text it is.
  case parsed(kind: String, check: @Sendable (String) -> Mistake?)
  /// Anything.
  case any

  /// A mistake inside a text.
  public struct Mistake: Sendable {
    /// What is wrong.
    public let message: String
    /// Where, in characters from the beginning of the text.
    public let offset: Int
    /// What would be valid.
    public let hint: String?

    /// Creates a mistake.
    public init(_ message: String, offset: Int = 0, hint: String? = nil) {
      self.message = message
      self.offset = offset
      self.hint = hint
    }
  }

  /// What is expected, for messages: `a duration such as 30s`.
  public var expectation: String {
    switch self {
    case .text, .template: "text"
    case .int(let range):
      range.upperBound == .max
        ? (range.lowerBound == .min
          ? "a whole number" : "a whole number of at least \(range.lowerBound)")
        : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number: "a number"
    case .bool: "true or false"
    case .duration: "a duration with a unit, such as 500ms, 30s or 1h"
    case .size: "a size with a unit, such as 500kB, 50MB or 1GiB"
    case .rate: "a rate, such as 60/min or 100/day"
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    case .list(let element, let orSingle):
      orSingle ? "\(element.expectation), or a list of them" : "a list of \(element.plural)"
    case .map: "a mapping"
    case .object(let options):
      "a mapping with the keys \(options.map(\.name).joined(separator: ", "))"
    case .oneOf(let options, _):
      "exactly one of \(options.map(\.name).joined(separator: ", "))"
    case .either(let shapes): shapes.map(\.expectation).joined(separator: ", or ")
    case .parsed(let kind, _): kind
    case .any: "any value"
    }
  }

  private var plural: String {
    switch self {
    case .text, .template: "texts"
    case .int, .number: "numbers"
    default: "values, each \(expectation)"
    }
  }
}

/// One option of a source, a provider, a stage or a command.
public struct OptionSpec: Sendable {
  /// The key, in snake_case.
  public let name: String
  /// What its value may be.
  public let shape: Shape
  /// The value it has when it is not given, as it would be written.
  public let defaultText: String?
  /// Whether it must be given.
  public let isRequired: Bool
  /// Whether its value is a secret, to be redacted everywhere.
  public let isSecret: Bool
  /// One sentence that says what it does.
  public let summary: String
  /// An example value, as it would be written.
  public let example: String?
  /// What it is called elsewhere, which is not valid but understood in messages.
  public let aliases: [String]

  /// Creates an option.
  public init(
    _ name: String, _ shape: Shape, default defaultText: String? = nil, required: Bool = false,
    secret: Bool = false, _ summary: String, example: String? = nil, aliases: [String] = []
  ) {
    self.name = name
    self.shape = shape
    self.defaultText = defaultText
    isRequired = required
    isSecret = secret
    self.summary = summary
    self.example = example
    self.aliases = aliases
  }
}
