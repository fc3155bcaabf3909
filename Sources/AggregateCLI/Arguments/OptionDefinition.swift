/// One option of the command line.
struct OptionDefinition: Sendable {
  /// What it takes.
  enum Argument: Sendable, Equatable {
    /// Nothing: it is a switch.
    case none
    /// A value, in the same word behind `=` or in the next word.
    case required(String)
    /// A value behind `=`, or nothing.
    case optional(String)
  }

  /// The long name, without the dashes.
  let name: String
  /// The one-letter name.
  let short: Character?
  /// What it takes.
  let argument: Argument
  /// What it does, in one line.
  let summary: String
  /// The heading that help lists it under.
  let group: String

  init(
    _ name: String, _ short: Character? = nil, _ argument: Argument = .none, _ summary: String,
    group: String = "Options"
  ) {
    self.name = name
    self.short = short
    self.argument = argument
    self.summary = summary
    self.group = group
  }

  /// How help shows it: `-f, --format NAME`.
  var usage: String {
    let head = (short.map { "-\($0), " } ?? "    ") + "--\(name)"
    return switch argument {
    case .none: head
    case .required(let value): "\(head) \(value)"
    case .optional(let value): "\(head)[=\(value)]"
    }
  }
}
