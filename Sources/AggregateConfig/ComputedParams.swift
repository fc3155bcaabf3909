internal import AggregateCore
internal import AggregateExpressions

/// Values of `params:`: texts, and expressions over the values before them.
enum ComputedParams {
  /// What a value that is no text is written as.
  static let specs = [
    OptionSpec(
      "expr",
      .parsed(kind: "an expression") { Expression.mistake(in: $0) }, required: true,
      "An expression; it knows the values above it as columns. The time is `now()`.",
      example: "strftime(now() - interval 7 day, '%Y-%m-%d')")
  ]

  /// The values by name; what can't be computed is left out, with a diagnostic.
  static func values(
    _ entries: [Node.Entry], _ diagnostics: inout Diagnostics
  ) -> [String: String] {
    var known: [(name: String, value: String)] = []
    for entry in entries {
      if let node = entry.value["expr"] {
        guard let value = computed(node, over: known, &diagnostics) else { continue }
        known.append((entry.key, value))
      } else {
        known.append((entry.key, entry.value.string ?? ""))
      }
    }
    return Dictionary(known.map { ($0.name, $0.value) }) { _, last in last }
  }

  private static func computed(
    _ node: Node, over known: [(name: String, value: String)], _ diagnostics: inout Diagnostics
  ) -> String? {
    guard let text = LocatedText(node), let expression = Expression(text, &diagnostics) else {
      return nil
    }
    let schema = Schema(known.map { ColumnSpec($0.name, .text) })
    let batch = Batch(
      schema: schema, columns: known.map { .constant($0.value, count: 1) }, rowCount: 1)
    do {
      let column = try expression.bind(schema).evaluate(batch, into: "params", log: .silent)
      let value = column.value(at: 0)
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
