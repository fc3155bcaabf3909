import AggregateCore

/// Help texts, all derived from what commands and stages say of themselves.
enum Help {
  /// The help of the whole program.
  static func program(_ program: Program) -> String {
    var text = """
      aggregate – web APIs, feeds and files, declared in YAML, as one clean stream of rows

      usage: aggregate [run] [NAME...] [options]      run declared sources and pipelines
             aggregate STAGE [args] [FILE...]         one stage over stdin or files
             aggregate COMMAND [args] [options]

      Commands:

      """
    text += table(program.commands.filter { !$0.isHidden }.map { ($0.name, $0.summary) })
    text += "\nStages (over stdin or files):\n"
    text += table(program.stages.stages.map { ($0.spec.name, $0.spec.summary) })
    text += "\nOptions:\n"
    text += options(RunOptions.definitions)
    text += """

      Exit codes: 0 good · 1 failed · 2 usage or configuration · 3 partial · 4 pagination anomaly ·
      5 expectation or test failed · 130 interrupted.
      “aggregate COMMAND --help” says more of one command.

      """
    return text
  }

  /// The help of one command.
  static func command(_ command: any Command.Type) -> String {
    var text = "aggregate \(command.name) – \(command.summary)\n\n"
    text += "usage: aggregate \(command.name) \(command.usage)\n"
    if !command.discussion.isEmpty { text += "\n\(command.discussion)\n" }
    if !command.options.isEmpty { text += "\n" + options(command.options) }
    return text
  }

  /// The help of a stage as a command.
  static func stage(_ spec: StageSpec) -> String {
    var text = "aggregate \(spec.name) – \(spec.summary)\n\n"
    let words = spec.positionals.map { "\($0.uppercased()) " }.joined()
    text += "usage: aggregate \(spec.name) \(words)[FILE...] [options]\n"
    if !spec.discussion.isEmpty { text += "\n\(spec.discussion)\n" }
    text += "\nStage options:\n"
    text += table(
      spec.options.map { option in
        ("--\(option.name)", option.summary + (option.defaultText.map { " (default \($0))" } ?? ""))
      })
    text += "\nIn sources.yaml:\n    - " + spec.example.replacing("\n", with: "\n      ") + "\n\n"
    return text + options(RunOptions.definitions)
  }

  /// Options under their headings.
  static func options(_ definitions: [OptionDefinition]) -> String {
    var text = ""
    var group = ""
    for definition in definitions {
      if definition.group != group {
        group = definition.group
        text += "  \(group):\n"
      }
      text += table([(definition.usage, definition.summary)], width: 30)
    }
    return text
  }

  /// Two columns.
  static func table(_ rows: [(String, String)], width: Int = 14) -> String {
    rows.map { name, summary in
      let gap = String(repeating: " ", count: max(2, width - name.count))
      return "    \(name)\(gap)\(summary)\n"
    }.joined()
  }
}
