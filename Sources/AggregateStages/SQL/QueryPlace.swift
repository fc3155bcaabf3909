internal import AggregateCore

/// Places in a query, as places in the file or the command line that it stands in.
enum QueryPlace {
  /// The place of a character.
  ///
  /// - Parameters:
  ///   - line: The line of the query, counted from 1.
  ///   - column: The column in it, counted from 1; in `snippet`, a part of the line, when given.
  static func location(
    in query: LocatedText, line: Int, column: Int, snippet: String? = nil
  ) -> SourceLocation {
    let lines = query.text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(line - 1) else { return query.location }
    let text = lines[line - 1]
    var column = column
    if let snippet, let found = text.firstRange(of: snippet) {
      column += text.distance(from: text.startIndex, to: found.lowerBound)
    }
    let first = query.location
    guard let written = first.text else { return first }
    let rest = written.dropFirst(first.column - 1)
    // Behind the quote, if there is one.
    for quote in [0, 1] where line == 1 && rest.dropFirst(quote).hasPrefix(text) {
      return first.advanced(by: quote + column - 1)
    }
    // A block begins on the line behind its mark; how far it is indented is not known here.
    let isBlock = rest.hasPrefix("|") || rest.hasPrefix(">")
    return SourceLocation(
      file: first.file, line: first.line + line - (isBlock ? 0 : 1), column: column,
      text: String(text))
  }

  /// The place of a byte of the query's UTF-8.
  static func location(in query: LocatedText, byte: Int) -> SourceLocation {
    let before = String(decoding: query.text.utf8.prefix(byte), as: UTF8.self)
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    return location(in: query, line: lines.count, column: (lines.last?.count ?? 0) + 1)
  }
}
