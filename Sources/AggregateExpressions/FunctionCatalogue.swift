/// The functions of the language, for listings, reference pages and completion.
public enum FunctionCatalogue {
  /// One function.
  public struct Entry: Sendable {
    /// The name.
    public let name: String
    /// Other names for it.
    public let aliases: [String]
    /// The name and what it takes: `substr(text, start, [length])`.
    public let signature: String
    /// One sentence that says what it gives.
    public let summary: String
    /// `numbers`, `text`, `time`, `json`, `choice` or `aggregates`.
    public let group: String
    /// An expression without columns.
    public let example: String
    /// The text of the example's value; empty for null.
    public let result: String
  }

  /// All functions, by group and name.
  public static let all: [Entry] =
    scalar + choices + aggregates

  /// The function of this name or alias, in any case.
  public static func entry(named name: String) -> Entry? {
    let name = name.lowercased()
    return all.first { $0.name == name || $0.aliases.contains(name) }
  }

  private static let scalar = Functions.all.map { spec in
    Entry(
      name: spec.name, aliases: spec.aliases, signature: spec.signature, summary: spec.summary,
      group: spec.group, example: spec.example, result: spec.result)
  }

  private static func choice(
    _ name: String, _ aliases: [String], _ signature: String, _ summary: String, _ example: String,
    _ result: String
  ) -> Entry {
    Entry(
      name: name, aliases: aliases, signature: signature, summary: summary, group: "choice",
      example: example, result: result)
  }

  private static let choices = [
    choice(
      "coalesce", [], "coalesce(value…)", "The first value that is not null.",
      "coalesce(null, 2, 3)", "2"),
    choice(
      "ifnull", [], "ifnull(value, other)", "The value, or another one when it is null.",
      "ifnull(null, 'x')", "x"),
    choice(
      "if", ["iff"], "if(condition, then, else)", "One of two values, by a condition.",
      "if(2 > 1, 'yes', 'no')", "yes"),
    choice(
      "nullif", [], "nullif(value, other)", "The value, or null when it equals the other.",
      "nullif('', '')", ""),
    choice(
      "greatest", [], "greatest(value…)", "The largest of the values; nulls are passed over.",
      "greatest(1, null, 3)", "3"),
    choice(
      "least", [], "least(value…)", "The smallest of the values; nulls are passed over.",
      "least(1, null, 3)", "1"),
    choice(
      "try", [], "try(value)", "The value, or null without a report when it cannot be computed.",
      "try(1 // 0)", ""),
  ]

  private static let aggregates = AggregateKind.allCases.map { kind in
    Entry(
      name: kind.rawValue,
      aliases: AggregateKind.aliases.filter { $0.value == kind }.map(\.key).sorted(),
      signature: "\(kind.rawValue)(\(kind.parameters))", summary: kind.summary,
      group: "aggregates", example: kind.example.expression, result: kind.example.result)
  }
}
