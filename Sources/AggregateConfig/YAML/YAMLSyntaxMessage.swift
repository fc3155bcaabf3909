internal import AggregateCore

/// Says what libyaml found wrong in words that help to put it right.
enum YAMLSyntaxMessage {
  /// The diagnostic for a syntax error.
  static func diagnostic(for error: YAMLSyntaxError, in text: YAMLText) -> Diagnostic {
    guard let mark = error.mark else {
      return Diagnostic(
        .error, "yaml-encoding", "the file is not UTF-8 text: \(error.problem)",
        at: SourceLocation(file: text.file, line: 1, column: 1))
    }
    let place = place(of: error, mark, in: text)
    let context = error.context.map { " (\($0))" } ?? ""
    return Diagnostic(
      .error, "yaml-syntax", "not valid YAML: \(error.problem)\(context)",
      at: text.location(place), hint: hint(for: error, at: place, in: text))
  }

  /// Where the reader should look: what was never closed, when the end of the file tells of it.
  private static func place(
    of error: YAMLSyntaxError, _ mark: YAMLEvent.Mark, in text: YAMLText
  ) -> YAMLEvent.Mark {
    guard let began = error.contextMark else { return mark }
    let isEnd = text.line(mark.line).isEmpty && text.line(mark.line + 1).isEmpty
    let isOpen =
      error.context?.contains("flow") == true || error.context?.contains("quoted") == true
    return isOpen && isEnd ? began : mark
  }

  private static func hint(
    for error: YAMLSyntaxError, at mark: YAMLEvent.Mark, in text: YAMLText
  ) -> String? {
    let line = Array(text.line(mark.line).unicodeScalars)
    let context = error.context ?? ""
    let found = mark.column < line.count ? line[mark.column] : nil
    if found == "\t" { return "a tab stands here; indent with spaces" }
    if context.contains("quoted scalar") {
      return "the quote that opens here is not closed"
    }
    if let value = unquotedValue(in: line, around: mark.column) {
      return "quote the value: \"\(value)\""
    }
    if error.problem.contains("mapping values are not allowed") {
      return "a value that holds “: ” must be quoted; or the line is indented too far"
    }
    if error.problem.contains("cannot start any token"), let found {
      return "a value that begins with “\(Character(found))” must be quoted"
    }
    if context.contains("flow mapping") || context.contains("flow sequence") {
      return
        "a “\(context.contains("mapping") ? "{" : "[")” is not closed, or a comma is missing; a value with brackets or braces in it must be quoted"
    }
    if error.problem.contains("did not find expected key")
      || error.problem.contains("did not find expected '-' indicator")
    {
      return "check the indentation of this line and the one before it"
    }
    return nil
  }

  /// A JSONPath, a `${…}` or a `{template}` around `column` that should have been quoted.
  private static func unquotedValue(in line: [Unicode.Scalar], around column: Int) -> String? {
    // Back to the beginning of the value: behind `: `, `- `, `, `, or an opening `{ ` or `[ `.
    var start = min(column, line.count)
    while start > 0 {
      let before = line[start - 1]
      if before == " " && start >= 2 && ":-,{[".unicodeScalars.contains(line[start - 2]) { break }
      if before == "," { break }
      if start < line.count, line[start] == "$", before == "[" || before == "{" { break }
      start -= 1
    }
    while start < line.count && line[start] == " " { start += 1 }
    guard start < line.count else { return nil }
    let first = line[start]
    guard first == "$" || first == "{" else { return nil }
    var depth = 0
    var end = start
    while end < line.count {
      let scalar = line[end]
      if "[({".unicodeScalars.contains(scalar) { depth += 1 }
      if "])}".unicodeScalars.contains(scalar) {
        if depth == 0 { break }
        depth -= 1
      }
      if depth == 0 && (scalar == "," || scalar == "#") { break }
      end += 1
    }
    var value = String(String.UnicodeScalarView(line[start..<end]))
    while value.last == " " { value.removeLast() }
    // A flow mapping that merely begins with a brace is not a template.
    if first == "{" && (value.contains(": ") || !value.contains("}")) { return nil }
    guard value.count > 1, value.contains(where: { "[{(".contains($0) }) else { return nil }
    return value.contains("\"") ? value.replacing("\"", with: "'") : value
  }
}
