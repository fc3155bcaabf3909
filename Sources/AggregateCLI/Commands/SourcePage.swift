import AggregateConfig
import AggregateCore

/// What a declared source is, as YAML: its defaults filled in, secrets left out.
enum SourcePage {
  /// The text.
  static func text(_ source: SourceDeclaration) -> String {
    "# Source `\(source.name)`"
      + (source.location.file.isEmpty ? "" : " (\(source.location.file):\(source.location.line))")
      + "\n\n```yaml\n\(source.name):\n" + lines(source.node, indent: 2, specs: source.specs)
      + "```\n"
  }

  private static func lines(_ node: Node, indent: Int, specs: [OptionSpec]) -> String {
    let space = String(repeating: " ", count: indent)
    switch node.content {
    case .scalar(let scalar): return "\(space)\(scalar.shownText)\n"
    case .sequence(let nodes):
      return nodes.map { item in
        item.scalar.map { "\(space)- \($0.shownText)\n" }
          ?? "\(space)-\n" + lines(item, indent: indent + 2, specs: [])
      }.joined()
    case .mapping(let entries):
      return entries.map { entry in
        let spec = specs.first { $0.name == entry.key }
        if spec?.isSecret == true { return "\(space)\(entry.key): \(Redactor.mask)\n" }
        if let scalar = entry.value.scalar { return "\(space)\(entry.key): \(scalar.shownText)\n" }
        return "\(space)\(entry.key):\n"
          + lines(entry.value, indent: indent + 2, specs: spec?.shape.nestedOptions ?? [])
      }.joined()
    }
  }
}
