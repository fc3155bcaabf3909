internal import AggregateCore

/// What `postgres://USER:PASSWORD@HOST/DB?table=T&mode=M&key=COLS` names.
public struct PostgreSQLTarget: Sendable, Hashable {
  /// The address that libpq connects to; it may hold a password.
  let address: String
  /// Host and database, for messages.
  let shown: String
  /// The password of the address; nil when it has none.
  public let password: String?
  /// The schema and the table, or the table alone.
  let table: [String]
  /// What becomes of its rows.
  public let mode: TableMode

  /// Reads the text form; nil when it is not one of PostgreSQL.
  ///
  /// What stands behind `?` beside `table`, `mode` and `key` goes to libpq: `sslmode`, `options` …
  /// - Parameter table: The table when the text names none.
  /// - Throws: ``AggregateError`` with code `configuration` that says what would be valid.
  public init?(_ text: String, table defaultTable: String) throws {
    guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://"),
      let scheme = text.firstRange(of: "://")
    else { return nil }
    let mark = text.firstIndex(of: "?") ?? text.endIndex
    let place = text[scheme.upperBound..<mark]
    var settings = ["table": defaultTable]
    var rest: [Substring] = []
    for item in TableMode.items(text[mark...].dropFirst()) {
      if TableMode.settings.contains(item.name) {
        settings[item.name] = item.value
      } else {
        rest.append(item.text)
      }
    }
    let authority = place.prefix { $0 != "/" }
    let user = authority.lastIndex(of: "@").map { authority[..<$0] }
    password = user.flatMap { user in
      user.firstIndex(of: ":").map { WebURL.decoded(String(user[user.index(after: $0)...])) }
    }
    let afterUser = place.lastIndex(of: "@").map { place[place.index(after: $0)...] }
    let shown = "postgres://\(afterUser ?? place)"
    self.shown = shown
    address = "postgresql://\(place)" + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&"))
    table = (settings["table"] ?? "").split(separator: ".", maxSplits: 1).map(String.init)
    guard !table.isEmpty else { throw TableMode.mistake("“\(shown)” names no table") }
    mode = try TableMode(mode: settings["mode"], key: settings["key"], of: shown)
  }
}
