internal import AggregateCore

/// What `sqlite:FILE?table=T&mode=M&key=COLS` names: a table, and how rows get into it.
public struct SQLiteTarget: Sendable, Hashable {
  /// The scheme, with its colon.
  public static let scheme = "sqlite:"

  /// The path of the database.
  public let path: String
  /// The table.
  public let table: String
  /// What becomes of its rows.
  public let mode: TableMode

  /// Reads the text form; nil when it is not one of SQLite.
  ///
  /// - Parameter table: The table when the text names none.
  /// - Throws: ``AggregateError`` with code `configuration` that says what would be valid.
  public init?(_ text: String, table defaultTable: String) throws {
    guard text.hasPrefix(Self.scheme) else { return nil }
    var rest = text.dropFirst(Self.scheme.count)
    var settings = ["table": defaultTable]
    if let mark = rest.lastIndex(of: "?") {
      for item in TableMode.items(rest[rest.index(after: mark)...]) {
        guard TableMode.settings.contains(item.name) else {
          throw AggregateError(
            .configuration, "“\(text)” has an unknown setting “\(item.name)”",
            hint: Suggestions.hint(for: item.name, in: TableMode.settings))
        }
        settings[item.name] = item.value
      }
      rest = rest[..<mark]
    }
    // sqlite:///absolute/path is how other tools write it.
    if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
    guard !rest.isEmpty else { throw TableMode.mistake("“\(text)” names no file") }
    guard let table = settings["table"], !table.isEmpty else {
      throw TableMode.mistake("“\(text)” names no table")
    }
    path = String(rest)
    self.table = table
    mode = try TableMode(mode: settings["mode"], key: settings["key"], of: text)
  }
}
