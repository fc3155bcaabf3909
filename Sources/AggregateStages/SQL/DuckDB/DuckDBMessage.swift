/// What DuckDB says, taken apart: `Binder Error: …`, then `LINE 1: SELECT …` and a caret under the place.
struct DuckDBMessage: Hashable {
  /// A place in the query.
  struct Place: Hashable {
    /// The line, counted from 1.
    var line: Int
    /// The column, counted from 1; in ``snippet`` when there is one.
    var column: Int
    /// The part of a long line that is shown, when it is not its beginning.
    var snippet: String?
  }

  /// The words, in one line.
  let text: String
  /// Where, if it says so.
  let place: Place?

  /// Takes a message apart.
  init(_ message: String) {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    let shown = lines.lastIndex { $0.hasPrefix("LINE ") && $0.contains(": ") }
    let words = lines[..<(shown ?? lines.endIndex)]
      .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }
    text = words.joined(separator: " ")
    guard let shown, shown + 1 < lines.count, let colon = lines[shown].firstRange(of: ": "),
      let line = Int(lines[shown][..<colon.lowerBound].dropFirst(5)),
      let caret = lines[shown + 1].firstIndex(of: "^")
    else {
      place = nil
      return
    }
    let offset = lines[shown + 1].distance(from: lines[shown + 1].startIndex, to: caret)
    let prefix = lines[shown].distance(from: lines[shown].startIndex, to: colon.upperBound)
    var column = offset - prefix + 1
    var part = lines[shown][colon.upperBound...]
    guard part.hasPrefix("...") else {
      place = column < 1 ? nil : Place(line: line, column: column, snippet: nil)
      return
    }
    part = part.dropFirst(3)
    if part.hasSuffix("...") { part = part.dropLast(3) }
    column -= 3
    place = column < 1 ? nil : Place(line: line, column: column, snippet: String(part))
  }
}
