internal import AggregateCore

/// What becomes of the rows that a table has when rows are written into it.
public enum TableMode: Sendable, Hashable {
  /// They are replaced.
  case replace
  /// They stay.
  case append
  /// Those with the same values in these columns are updated, the others stay.
  case upsert(key: [String])

  /// The settings that name a table and a mode.
  static let settings = ["table", "mode", "key"]

  /// Reads the values of `mode` and `key`.
  ///
  /// - Parameter target: What the user wrote, for messages.
  /// - Throws: ``AggregateError`` with code `configuration` that says what would be valid.
  init(mode: String?, key text: String?, of target: String) throws {
    let key = text?.split(separator: ",").map(String.init)
    switch (mode, key) {
    case (nil, nil), ("replace", nil): self = .replace
    case ("append", nil): self = .append
    case (nil, let key?), ("upsert", let key?):
      guard !key.isEmpty else { throw Self.mistake("“\(target)” has an empty key") }
      self = .upsert(key: key)
    case ("upsert", nil): throw Self.mistake("“\(target)”: mode=upsert needs key=COLUMNS")
    case ("replace", _), ("append", _):
      throw Self.mistake("“\(target)”: a key goes with mode=upsert only")
    case (let word?, _):
      throw AggregateError(
        .configuration, "“\(target)” has an unknown mode “\(word)”",
        hint: Suggestions.hint(for: word, in: ["replace", "append", "upsert"]))
    }
  }

  /// The items of what stands behind `?`, decoded.
  static func items(_ query: Substring) -> [(name: String, value: String, text: Substring)] {
    query.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? WebURL.decoded(String(parts[1]), plusIsSpace: true) : ""
      return (String(parts[0]), value, item)
    }
  }

  static func mistake(_ message: String) -> AggregateError {
    AggregateError(
      .configuration, message,
      hint: "?table=NAME, and &mode=replace|append or &key=COLUMNS")
  }
}
