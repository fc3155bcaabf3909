internal import AggregateCore

/// Values of `params:`: texts, and expressions over the values before them.
enum ComputedParams {
  /// What a value that is no text is written as; its syntax is checked with `language`.
  static func specs(_ language: (any ExpressionLanguage)?) -> [OptionSpec] {
    let shape = Shape.parsed(kind: "an expression") { language?.mistake(in: $0) }
    return [
      OptionSpec(
        "expr", shape, required: true,
        "An expression; it knows the values above it as columns. The time is `now()`.",
        example: "strftime(now() - interval 7 day, '%Y-%m-%d')")
    ]
  }

  /// The values by name; what can't be computed is left out, with a diagnostic.
  static func values(
    _ entries: [Node.Entry], in language: (any ExpressionLanguage)?,
    _ diagnostics: inout Diagnostics
  ) -> [String: String] {
    var known: [(name: String, value: String)] = []
    for entry in entries {
      if let node = entry.value["expr"] {
        guard let value = computed(node, over: known, in: language, &diagnostics) else { continue }
        known.append((entry.key, value))
      } else {
        known.append((entry.key, entry.value.string ?? ""))
      }
    }
    return Dictionary(known.map { ($0.name, $0.value) }) { _, last in last }
  }

  private static func computed(
    _ node: Node, over known: [(name: String, value: String)],
    in language: (any ExpressionLanguage)?, _ diagnostics: inout Diagnostics
  ) -> String? {
    guard let text = LocatedText(node) else { return nil }
    guard let language else {
      diagnostics.error("params", "“expr” is not available here", at: node.location)
      return nil
    }
    do {
      let value = try language.value(of: text, over: known)
      if !value.isNull { return value.displayText }
      diagnostics.error(
        "params", "the value of “\(text.text)” is null", at: node.location,
        hint: "coalesce(…, '') gives another one")
    } catch let error as DiagnosticsError {
      for diagnostic in error.diagnostics { diagnostics.add(diagnostic) }
    } catch {
      diagnostics.error("params", "“\(text.text)” can't be computed: \(error)", at: node.location)
    }
    return nil
  }
}
