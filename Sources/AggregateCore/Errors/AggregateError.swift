/// An error that ends a run, a source or a record.
public struct AggregateError: Error, Sendable, CustomStringConvertible {
  /// Whose fault it is, which decides the exit code and whether trying again can help.
  public enum Code: String, Sendable {
    /// The command line or the configuration is wrong.
    case configuration
    /// The source could not be reached or answered with a passing failure; trying again may help.
    case unavailable
    /// The source refused (401, 404 …); trying the same again will not help.
    case rejected
    /// The data is not what it claims to be.
    case badData = "bad_data"
    /// A limit of size, time or number was reached.
    case limit
    /// Paging repeats itself, cycles or leaves the host.
    case pagination
    /// An expectation did not hold, or a test failed.
    case expectation
    /// The output could not be written.
    case output
    /// The user interrupted the run.
    case interrupted
    /// A defect of this program.
    case `internal`

    /// The exit code of a run that ends with this.
    public var exit: Int32 {
      switch self {
      case .configuration: 2
      case .pagination: 4
      case .expectation: 5
      case .interrupted: 130
      case .unavailable, .rejected, .badData, .limit, .output, .internal: 1
      }
    }

    /// Whether it concerns only what was being read, so that other parts or sources may go on.
    public var endsOnePart: Bool {
      switch self {
      case .unavailable, .rejected, .badData, .limit, .pagination: true
      case .configuration, .expectation, .output, .interrupted, .internal: false
      }
    }

    /// Whether the same request may succeed later.
    public var isTransient: Bool { self == .unavailable }
  }

  /// Whose fault it is.
  public var code: Code
  /// What was received, where, and what is wrong with it.
  public var message: String
  /// What would be valid, or what to do.
  public var hint: String?
  /// The source it concerns.
  public var source: String?
  /// The place in the configuration or in the data.
  public var location: SourceLocation?
  /// The HTTP status, when an answer was the cause.
  public var status: Int?

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, hint: String? = nil, source: String? = nil,
    location: SourceLocation? = nil, status: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.source = source
    self.location = location
    self.status = status
  }

  /// The same error with the source named, unless it already names one.
  public func of(source name: String) -> AggregateError {
    var copy = self
    if copy.source == nil { copy.source = name }
    return copy
  }

  /// The message behind the place, where there is one: `file:line:column: message`.
  public var placed: String {
    (location.map { "\($0.file):\($0.line):\($0.column): " } ?? "") + message
  }

  /// The message and its place, with the source before and the hint behind them.
  public var description: String {
    (source.map { "\($0): " } ?? "") + placed + (hint.map { " (\($0))" } ?? "")
  }
}

/// Several diagnostics that together end a run before any data flows.
public struct DiagnosticsError: Error, Sendable {
  /// All of them, in order of place.
  public let diagnostics: [Diagnostic]

  /// Creates an error from diagnostics.
  public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}
