extension InstantParser {
  /// The point in time that `text`, written by people or their programs, means; nil when it means none for sure.
  ///
  /// Beside what ``any(_:)`` takes: weeks, days of the year and truncated dates of ISO 8601, asctime, times
  /// with am and pm, zones by name, names of months in the languages of Europe and East Asia, and common
  /// mistakes. Without a zone it is UTC. Two-digit years below 70 are in this century.
  public static func loose(_ text: String) -> Instant? {
    guard !text.isEmpty, text.utf8.count <= 100 else { return nil }
    let text = withoutBrackets(text)
    return LooseISODate.parse(text) ?? WordDate.parse(text)
  }

  /// `2024-01-01T10:00+01:00[Europe/Berlin]` without the name, which says nothing more than the offset.
  private static func withoutBrackets(_ text: String) -> String {
    guard text.last == "]", let open = text.lastIndex(of: "[") else { return text }
    let before = text[..<open]
    let hasOffset = before.last == "Z" || before.suffix(6).contains { $0 == "+" || $0 == "-" }
    return hasOffset ? String(before) : "\(before) \(text[text.index(after: open)...].dropLast())"
  }
}
