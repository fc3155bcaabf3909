extension Shape {
  /// Adds a diagnostic for everything in `node` that is not as the shape says.
  ///
  /// - Parameter name: What the value is called in messages, such as `retry.attempts`.
  public func check(_ node: Node, name: String, into diagnostics: inout Diagnostics) {
    switch self {
    case .any: break
    case .text, .template: checkScalar(node, name, &diagnostics) { _ in true }
    case .int(let range):
      checkScalar(node, name, &diagnostics) { Int($0).map(range.contains) ?? false }
    case .number:
      checkScalar(node, name, &diagnostics) { Double($0)?.isFinite ?? false }
    case .bool:
      checkScalar(node, name, &diagnostics) { Options.bool($0) != nil }
    case .duration:
      checkScalar(node, name, &diagnostics) { Quantities.duration($0) != nil }
    case .size: checkScalar(node, name, &diagnostics) { Quantities.size($0) != nil }
    case .rate: checkScalar(node, name, &diagnostics) { Quantities.rate($0) != nil }
    case .choice(let words): checkChoice(node, name, words, &diagnostics)
    case .list(let element, let orSingle):
      if let elements = node.sequence {
        for node in elements { element.check(node, name: name, into: &diagnostics) }
      } else if orSingle {
        element.check(node, name: name, into: &diagnostics)
      } else {
        mismatch(node, name, &diagnostics)
      }
    case .map(let value, _):
      guard let entries = node.mapping else { return mismatch(node, name, &diagnostics) }
      for entry in entries {
        if entry.key.isEmpty {
          diagnostics.error("empty-name", "“\(name)”: a name is missing", at: entry.location)
        }
        value.check(entry.value, name: "\(name).\(entry.key)", into: &diagnostics)
      }
    case .object(let options):
      guard let entries = node.mapping else { return mismatch(node, name, &diagnostics) }
      Self.checkEntries(entries, options, of: name, at: node.location, into: &diagnostics)
    case .oneOf(let choices, let with):
      guard let entries = node.mapping else { return mismatch(node, name, &diagnostics) }
      Self.checkEntries(entries, choices + with, of: name, at: node.location, into: &diagnostics)
      let names = Set(choices.map(\.name))
      let given = entries.filter { names.contains($0.key) }
      if given.count != 1 {
        let found = given.isEmpty ? "none" : given.map(\.key).joined(separator: " and ")
        diagnostics.error(
          "one-of", "“\(name)” takes \(expectation), but has \(found)",
          at: given.dropFirst().first?.location ?? node.location)
      }
    case .either(let shapes):
      if node.isUnquotedTemplate, shapes.contains(where: \.takesScalars) {
        return mismatch(node, name, &diagnostics)
      }
      let fitting = shapes.filter { $0.accepts(node) }
      // Among several of the same form, one that fits whole wins; else the first one's mistakes count.
      for shape in fitting {
        var trial = Diagnostics()
        shape.check(node, name: name, into: &trial)
        if !trial.hasErrors { return }
      }
      if let first = fitting.first {
        first.check(node, name: name, into: &diagnostics)
      } else {
        mismatch(node, name, &diagnostics)
      }
    case .parsed(_, let check):
      guard let text = node.string else { return mismatch(node, name, &diagnostics) }
      if let mistake = check(text) {
        let quote = node.scalar?.isPlain == true ? 0 : 1
        diagnostics.error(
          "syntax", "“\(name)”: \(mistake.message)",
          at: node.location.advanced(by: mistake.offset + quote), hint: mistake.hint)
      }
    }
  }

  /// Checks the entries of a mapping against its options: unknown, missing and wrong ones.
  public static func checkEntries(
    _ entries: [Node.Entry], _ options: [OptionSpec], of name: String, at location: SourceLocation,
    into diagnostics: inout Diagnostics
  ) {
    for entry in entries {
      if let option = options.first(where: { $0.name == entry.key }) {
        option.shape.check(
          entry.value, name: name.isEmpty ? entry.key : "\(name).\(entry.key)", into: &diagnostics)
      } else {
        let meant = options.first { $0.aliases.contains(entry.key) }?.name
        diagnostics.error(
          "unknown-key", "unknown key “\(entry.key)”" + (name.isEmpty ? "" : " in “\(name)”"),
          at: entry.location,
          hint: Suggestions.hint(for: meant ?? entry.key, in: options.map(\.name)))
      }
    }
    for option in options
    where option.isRequired && !entries.contains(where: { $0.key == option.name }) {
      diagnostics.error(
        "missing-key",
        (name.isEmpty ? "" : "“\(name)”: ") + "the key “\(option.name)” is missing",
        at: location,
        hint: option.example.map { "such as “\(option.name): \($0)”" } ?? option.summary)
    }
  }

  /// Whether the node has the form (scalar, list, mapping) that this shape takes.
  private func accepts(_ node: Node) -> Bool {
    switch self {
    case .any: true
    case .list(let element, let orSingle):
      node.sequence != nil || (orSingle && element.accepts(node))
    case .map, .object, .oneOf: node.mapping != nil
    case .either(let shapes): shapes.contains { $0.accepts(node) }
    default: node.scalar != nil
    }
  }

  /// Whether a single value is among what this shape takes.
  private var takesScalars: Bool {
    switch self {
    case .list(let element, let orSingle): orSingle && element.takesScalars
    case .map, .object, .oneOf: false
    case .either(let shapes): shapes.contains(where: \.takesScalars)
    default: true
    }
  }

  private func mismatch(_ node: Node, _ name: String, _ diagnostics: inout Diagnostics) {
    var hint: String?
    if node.isUnquotedTemplate, takesScalars, let key = node.mapping?.first?.key {
      hint = "text with braces must be quoted: \"{\(key)}\""
    }
    if case .map(_, let keys) = self, node.location.file == SourceLocation.commandLine {
      diagnostics.error(
        "wrong-type", "“\(name)” takes pairs, not \(node.shown)", at: node.location,
        hint: "write \(keys.uppercased())=VALUE")
      return
    }
    diagnostics.error(
      "wrong-type", "“\(name)” takes \(expectation), not \(node.shown)", at: node.location,
      hint: hint)
  }

  private func checkScalar(
    _ node: Node, _ name: String, _ diagnostics: inout Diagnostics, _ valid: (String) -> Bool
  ) {
    guard let text = node.string, valid(text) else { return mismatch(node, name, &diagnostics) }
  }

  private func checkChoice(
    _ node: Node, _ name: String, _ words: [String], _ diagnostics: inout Diagnostics
  ) {
    guard let text = node.string else { return mismatch(node, name, &diagnostics) }
    if !words.contains(text) {
      diagnostics.error(
        "bad-choice", "“\(name)” is \(node.shown), but takes \(expectation)", at: node.location,
        hint: Suggestions.nearest(to: text, in: words).first.map { "did you mean “\($0)”?" })
    }
  }
}

extension Node {
  /// Whether it reads `{word}`: a mapping for YAML, but most likely meant as text with a placeholder.
  fileprivate var isUnquotedTemplate: Bool {
    guard let entries = mapping, entries.count == 1 else { return false }
    return entries[0].value.isNull
  }
}
