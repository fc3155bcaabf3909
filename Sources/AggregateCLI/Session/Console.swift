import AggregateCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard error: the only place that diagnostics, errors, reports and progress go.
///
/// Every text passes the redactor here, and nowhere else needs to think of it.
struct Console: Sendable {
  /// Knows the secrets of the run.
  let redactor: Redactor
  /// Whether diagnostics and errors are JSON lines.
  let isJSON: Bool
  /// Whether colours may be used.
  let hasColor: Bool
  /// What is rewritten on the terminal while a run goes on.
  var progress: ProgressLine?

  /// Writes a line.
  func line(_ text: String) {
    progress?.hide()
    Self.write(redactor.redact(text) + "\n", to: 2)
  }

  /// A progress line for this console, when standard error is a terminal and standard output is not.
  static func progressLine() -> ProgressLine? {
    guard let width = SystemFacts.terminalWidth(2), !SystemFacts.isTerminal(1) else { return nil }
    return ProgressLine(width: width) { write($0, to: 2) }
  }

  /// Writes a diagnostic.
  func diagnostic(_ diagnostic: Diagnostic) {
    line(text(of: diagnostic))
  }

  /// Writes what ended a run.
  func error(_ error: any Error) { line(text(of: error)) }

  /// How an error is told: a line or several, without secrets.
  func text(of error: any Error) -> String {
    switch error {
    case let error as DiagnosticsError:
      return error.diagnostics.map(text).joined(separator: "\n")
    case let error as AggregateError:
      guard error.location != nil || isJSON else { return redactor.redact("error: \(error)") }
      let message = (error.source.map { "\($0): " } ?? "") + error.message
      return text(
        of: Diagnostic(.error, error.code.rawValue, message, at: error.location, hint: error.hint))
    default:
      return redactor.redact("error: \(error)")
    }
  }

  private func text(of diagnostic: Diagnostic) -> String {
    redactor.redact(isJSON ? Self.json(diagnostic) : diagnostic.rendered)
  }

  private static func json(_ diagnostic: Diagnostic) -> String {
    func member(_ name: String, _ value: String?) -> String {
      "\(EscapedText.quoted(name)):\(value ?? "null")"
    }
    let location = diagnostic.location
    return "{"
      + [
        member("severity", EscapedText.quoted(diagnostic.severity.rawValue)),
        member("code", EscapedText.quoted(diagnostic.code)),
        member("message", EscapedText.quoted(diagnostic.message)),
        member("file", location.map { EscapedText.quoted($0.file) }),
        member("line", location.map { String($0.line) }),
        member("column", location.map { String($0.column) }),
        member("hint", diagnostic.hint.map(EscapedText.quoted)),
      ].joined(separator: ",") + "}"
  }

  /// Writes text to a descriptor as far as it goes; standard error has nobody to complain to.
  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var offset = 0
      while offset < bytes.count {
        let written = systemWrite(
          descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
        if written <= 0 { return }
        offset += written
      }
    }
  }
}

/// `write(2)` under a name that does not collide with methods called `write`.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  while true {
    let result = write(descriptor, bytes, count)
    if result >= 0 || errno != EINTR { return result }
  }
}
