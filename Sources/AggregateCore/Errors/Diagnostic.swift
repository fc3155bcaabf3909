/// A place in a file (or in something like one: a command line, an expression).
public struct SourceLocation: Sendable, Hashable {
  /// What stands for the path where words of the command line are meant.
  public static let commandLine = "<command line>"

  /// The path as the user knows it, or `<command line>`, `<stdin>`.
  public var file: String
  /// The line, counted from 1.
  public var line: Int
  /// The column in characters, counted from 1.
  public var column: Int
  /// The text of the line, for the caret.
  public var text: String?

  /// Creates a location.
  public init(file: String, line: Int, column: Int, text: String? = nil) {
    self.file = file
    self.line = line
    self.column = column
    self.text = text
  }

  /// The same line, `offset` characters further on.
  public func advanced(by offset: Int) -> SourceLocation {
    SourceLocation(file: file, line: line, column: column + offset, text: text)
  }
}

/// A problem in the user's configuration.
public struct Diagnostic: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable {
    /// Nothing runs.
    case error
    /// It runs; with `--strict` it does not.
    case warning
  }

  /// How bad it is.
  public var severity: Severity
  /// A stable name for the kind of problem, such as `unknown-key`.
  public var code: String
  /// What was found and what is wrong with it.
  public var message: String
  /// Where.
  public var location: SourceLocation?
  /// What would be valid, or the nearest valid name.
  public var hint: String?

  /// Creates a diagnostic.
  public init(
    _ severity: Severity, _ code: String, _ message: String, at location: SourceLocation?,
    hint: String? = nil
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.location = location
    self.hint = hint
  }

  /// `file:line:col: error: message`, then the line and a caret under the place.
  public var rendered: String {
    let head = location.map { "\($0.file):\($0.line):\($0.column): " } ?? ""
    var text = "\(head)\(severity.rawValue): \(message)"
    if let hint { text += "; \(hint)" }
    if let location, let line = location.text {
      let caret = line.prefix(location.column - 1).map { $0 == "\t" ? "\t" : " " }.joined()
      text += "\n  \(line)\n  \(caret)^"
    }
    return text
  }
}

/// Collects every problem, so that all are reported at once.
public struct Diagnostics: Sendable {
  /// What was found so far, in the order found.
  public private(set) var all: [Diagnostic] = []

  /// Creates an empty collection.
  public init() {}

  /// Adds a diagnostic, once.
  public mutating func add(_ diagnostic: Diagnostic) {
    if !all.contains(diagnostic) { all.append(diagnostic) }
  }

  /// Adds an error.
  public mutating func error(
    _ code: String, _ message: String, at location: SourceLocation?, hint: String? = nil
  ) {
    add(Diagnostic(.error, code, message, at: location, hint: hint))
  }

  /// Adds a warning.
  public mutating func warning(
    _ code: String, _ message: String, at location: SourceLocation?, hint: String? = nil
  ) {
    add(Diagnostic(.warning, code, message, at: location, hint: hint))
  }

  /// Adds all of `other`.
  public mutating func add(contentsOf other: Diagnostics) {
    for diagnostic in other.all { add(diagnostic) }
  }

  /// Whether an error is among them.
  public var hasErrors: Bool { all.contains { $0.severity == .error } }

  /// Throws all of them, ordered by place, when an error is among them.
  public func throwIfErrors() throws {
    if hasErrors { throw DiagnosticsError(sorted) }
  }

  /// All, ordered by file, line and column.
  public var sorted: [Diagnostic] {
    all.enumerated().sorted { a, b in
      let x = a.element.location
      let y = b.element.location
      return (x?.file ?? "", x?.line ?? 0, x?.column ?? 0, a.offset)
        < (y?.file ?? "", y?.line ?? 0, y?.column ?? 0, b.offset)
    }.map(\.element)
  }
}
