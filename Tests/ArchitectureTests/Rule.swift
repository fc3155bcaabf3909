/// Something that holds of the sources of this project.
struct Rule: Sendable, CustomStringConvertible {
  /// A place that breaks a rule.
  struct Finding: Hashable {
    /// The path of a file or a folder, or the name of a target.
    let place: String
    /// What is wrong there.
    let reason: String
  }

  /// What holds, in a few words.
  let description: String
  /// Places that break the rule and are not mended yet. One that is mended must leave the list.
  var notYet: Set<String> = []
  /// Finds the places that break it.
  let findings: @Sendable (SourceTree) -> [Finding]

  /// All of them.
  static let all: [Rule] = [
    .imports, .declared, .wrappers, .loops, .providersUnnamed, .length, .libraries, .readmes,
    .providerParts, .conditions, .alone,
  ]
}
