import AggregateConfig
import AggregateCore

/// A stage written as YAML on the command line: `--stage '{top: {n: 3, by: -temp}}'`.
enum StageText {
  /// The node of the text; nil, with diagnostics, when it is not YAML.
  static func node(_ text: String, _ diagnostics: inout Diagnostics) -> Node? {
    YAMLParser.parse(Array(text.utf8), file: "<command line>", into: &diagnostics)
  }
}
