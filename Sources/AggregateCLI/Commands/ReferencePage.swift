import AggregateCore
import AggregateExpressions
import AggregateFormats

/// Reference pages as Markdown, made from specs: for `show` and for `Docs/reference`.
enum ReferencePage {
  /// The page of a provider.
  static func provider(_ spec: ProviderSpec) -> String {
    var text = "# Provider `\(spec.name)`\n\n\(sentence(spec.summary))\n"
    if !spec.discussion.isEmpty { text += "\n\(spec.discussion)\n" }
    text += "\n## Example\n\n```yaml\n\(spec.example.trimmedEnd)\n```\n"
    if !spec.options.isEmpty { text += "\n## Options\n\n" + options(spec.options) }
    if !spec.columns.isEmpty { text += "\n## Columns\n\n" + columns(spec.columns) }
    if !spec.samples.isEmpty {
      text += "\n`--sample` answers from \(spec.samples.count) bundled recordings.\n"
    }
    return text
  }

  /// The page of a stage.
  static func stage(_ spec: StageSpec) -> String {
    var text = "# Stage `\(spec.name)`\n\n\(spec.summary)\n"
    if !spec.discussion.isEmpty { text += "\n\(spec.discussion)\n" }
    text += "\n## Example\n\nIn `sources.yaml`:\n\n```yaml\nstages:\n  - "
    text += spec.example.trimmedEnd.replacing("\n", with: "\n    ") + "\n```\n"
    text += "\nOn the command line: `aggregate \(spec.name)\(words(spec)) [FILE...]`\n"
    text += "\n## Options\n\n" + options(spec.options)
    return text
  }

  /// What stands behind the name of a stage on the command line.
  private static func words(_ spec: StageSpec) -> String {
    let positionals = spec.positionals.map { " \($0.uppercased())" }
    let options = spec.options.filter { !spec.positionals.contains($0.name) }.map { option in
      let word = "--\(option.name.replacing("_", with: "-")) VALUE"
      return option.isRequired ? " \(word)" : " [\(word)]"
    }
    return (positionals + options).joined()
  }

  /// The page of a group of functions.
  static func functions(_ group: String, _ entries: [FunctionCatalogue.Entry]) -> String {
    var text =
      "# Functions: \(group)\n\n| function | what it gives | example | value |\n|---|---|---|---|\n"
    for entry in entries {
      var summary = entry.summary
      if !entry.aliases.isEmpty {
        summary += " Also " + entry.aliases.map { "`\($0)`" }.joined(separator: ", ") + "."
      }
      let result = entry.result.isEmpty ? "null" : "`\(entry.result)`"
      text +=
        "| "
        + ["`\(entry.signature)`", summary, "`\(entry.example)`", result]
        .map { $0.replacing("|", with: "\\|").replacing("\n", with: " ") }.joined(separator: " | ")
      text += " |\n"
    }
    return text
  }

  /// Options of the command line as tables under their headings.
  static func options(_ definitions: [OptionDefinition]) -> String {
    var text = ""
    var group = ""
    for definition in definitions {
      if definition.group != group {
        group = definition.group
        text += "\(text.isEmpty ? "" : "\n")| \(group) | |\n|---|---|\n"
      }
      var usage = definition.usage
      while usage.first == " " { usage.removeFirst() }
      text += "| `\(usage)` | \(definition.summary.replacing("|", with: "\\|")) |\n"
    }
    return text
  }

  /// `text` with a capital first and a full stop last.
  static func sentence(_ text: String) -> String {
    let end = text.last.map { ".!?".contains($0) } ?? true
    return text.prefix(1).uppercased() + text.dropFirst() + (end ? "" : ".")
  }

  /// The page of a format.
  static func format(_ spec: FormatSpec) -> String {
    var text = "# Format `\(spec.name)`\n\n\(spec.summary)\n\n"
    text += "- read: \(spec.canRead ? "yes" : "no")\n- write: \(spec.canWrite ? "yes" : "no")\n"
    text += "- nested values: \(spec.isFlat ? "become columns (`city.name`)" : "are kept")\n"
    if !spec.extensions.isEmpty {
      text += "- extensions: \(spec.extensions.map { "`.\($0)`" }.joined(separator: " "))\n"
    }
    return text + spec.notes.map { "\n\($0)\n" }.joined()
  }

  /// The page of a function.
  static func function(_ entry: FunctionCatalogue.Entry) -> String {
    var text = "# Function `\(entry.name)`\n\n\(entry.summary)\n\n"
    text += "- call: `\(entry.signature)`\n- group: \(entry.group)\n"
    if !entry.aliases.isEmpty {
      text += "- other names: \(entry.aliases.map { "`\($0)`" }.joined(separator: " "))\n"
    }
    let result = entry.result.isEmpty ? "null" : "`\(entry.result)`"
    return text + "\n## Example\n\n`\(entry.example)` gives \(result)\n"
  }

  /// A list of options, nested ones below theirs.
  static func options(_ specs: [OptionSpec], indent: String = "") -> String {
    specs.map { spec in
      var line = "\(indent)- `\(spec.name)`"
      var facts = [spec.shape.shortName]
      if spec.isRequired { facts.append("required") }
      if spec.isSecret { facts.append("secret") }
      if let text = spec.defaultText { facts.append("default `\(text)`") }
      line += " (\(facts.joined(separator: ", "))): \(spec.summary)"
      if let example = spec.example { line += " Example: `\(example)`." }
      line += "\n"
      let nested = spec.shape.nestedOptions
      if !nested.isEmpty { line += options(nested, indent: indent + "  ") }
      return line
    }.joined()
  }

  /// A table of columns.
  static func columns(_ specs: [ColumnSpec]) -> String {
    "| column | type | unit | what it is |\n|---|---|---|---|\n"
      + specs.map {
        "| `\($0.name)` | \($0.type.rawValue) | \($0.unit ?? "") | \($0.description ?? "") |\n"
      }.joined()
  }
}

extension Shape {
  /// A word or two for reference pages.
  var shortName: String {
    switch self {
    case .text: "text"
    case .template: "template"
    case .int: "whole number"
    case .number: "number"
    case .bool: "boolean"
    case .duration: "duration"
    case .size: "size"
    case .rate: "rate"
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: " ")
    case .list(let element, let orSingle):
      orSingle ? "\(element.shortName), or a list" : "list of \(element.shortName)"
    case .map(let value, let keys): "mapping of \(keys) to \(value.shortName)"
    case .object: "mapping"
    case .oneOf: "mapping with one of"
    case .either(let shapes): shapes.map(\.shortName).joined(separator: " or ")
    case .parsed(let kind, _): kind
    case .any: "any value"
    }
  }

  /// The options of the mapping that a value is, or may be.
  var nestedOptions: [OptionSpec] {
    switch self {
    case .object(let options): options
    case .oneOf(let options, let with): options + with
    case .either(let shapes): shapes.lazy.map(\.nestedOptions).first { !$0.isEmpty } ?? []
    case .list(let element, _): element.nestedOptions
    case .map(let value, _): value.nestedOptions
    default: []
    }
  }
}

extension String {
  /// Without white space at the end.
  var trimmedEnd: String {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
