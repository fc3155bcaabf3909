internal import AggregateCore

/// What `sqlite:FILE?table=T&mode=M&key=COLS` names: a table, and how rows get into it.
public struct SQLiteTarget: Sendable, Hashable {
  /// What becomes of the rows that the table has.
  public enum Mode: Sendable, Hashable {
    /// They are replaced.
    case replace
    /// They stay.
    case append
    /// Those with the same values in these columns are updated, the others stay.
    case upsert(key: [String])
  }

  /// The scheme, with its colon.
  public static let scheme = "sqlite:"

  /// The path of the database.
  public let path: String
  /// The table.
  public let table: String
  /// What becomes of its rows.
  public let mode: Mode

  /// Reads the text form; nil when it is not one of SQLite.
  ///
  /// - Parameter table: The table when the text names none.
  /// - Throws: ``AggregateError`` with code `configuration` that says what would be valid.
  public init?(_ text: String, table defaultTable: String) throws {
    guard text.hasPrefix(Self.scheme) else { return nil }
    var rest = text.dropFirst(Self.scheme.count)
    var items: [(name: String, value: String)] = []
    if let mark = rest.lastIndex(of: "?") {
      for item in rest[rest.index(after: mark)...].split(separator: "&") {
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? WebURL.decoded(String(parts[1]), plusIsSpace: true) : ""
        items.append((String(parts[0]), value))
      }
      rest = rest[..<mark]
    }
    // sqlite:///absolute/path is how other tools write it.
    if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
    guard !rest.isEmpty else {
      throw Self.mistake("“\(text)” names no file")
    }
    path = String(rest)
    var table = defaultTable
    var word: String?
    var key: [String]?
    for (name, value) in items {
      switch name {
      case "table": table = value
      case "mode": word = value
      case "key": key = value.split(separator: ",").map(String.init)
      default:
        throw AggregateError(
          .configuration, "“\(text)” has an unknown setting “\(name)”",
          hint: Suggestions.hint(for: name, in: ["table", "mode", "key"]))
      }
    }
    guard !table.isEmpty else { throw Self.mistake("“\(text)” names no table") }
    self.table = table
    switch (word, key) {
    case (nil, nil), ("replace", nil): mode = .replace
    case ("append", nil): mode = .append
    case (nil, let key?), ("upsert", let key?):
      guard !key.isEmpty else { throw Self.mistake("“\(text)” has an empty key") }
      mode = .upsert(key: key)
    case ("upsert", nil): throw Self.mistake("“\(text)”: mode=upsert needs key=COLUMNS")
    case ("replace", _), ("append", _):
      throw Self.mistake("“\(text)”: a key goes with mode=upsert only")
    case (let word?, _):
      throw AggregateError(
        .configuration, "“\(text)” has an unknown mode “\(word)”",
        hint: Suggestions.hint(for: word, in: ["replace", "append", "upsert"]))
    }
  }

  private static func mistake(_ message: String) -> AggregateError {
    AggregateError(
      .configuration, message,
      hint: "sqlite:FILE?table=NAME, and &mode=replace|append or &key=COLUMNS")
  }
}
