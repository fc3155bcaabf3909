import AggregateCore
import AggregateRun

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
    Self.write(Self.printable(redactor.redact(text)) + "\n", to: 2)
  }

  /// `text` with control characters written out: what a server says must not steer a terminal.
  static func printable(_ text: String) -> String {
    func steers(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x09, 0x0A: false
      // Controls of both sets, and what turns the direction of text.
      case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    guard text.unicodeScalars.contains(where: steers) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      guard steers(scalar) else {
        shown.unicodeScalars.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      shown += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return shown
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
