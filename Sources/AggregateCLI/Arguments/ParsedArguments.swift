import AggregateCore

/// The words of a command line, told apart by the options that the command knows.
struct ParsedArguments: Sendable {
  /// One option as given.
  struct Given: Sendable {
    /// Its long name.
    let name: String
    /// Its value; nil for a switch.
    let value: String?
  }

  /// The options, in the order given.
  private(set) var options: [Given] = []
  /// The words that are no options.
  private(set) var words: [String] = []
  /// How many options stood before each of the words.
  private var optionsBefore: [Int] = []

  /// Parses `arguments`. Options and words may be mixed; `--` ends the options.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` for an unknown option or a missing value.
  init(_ arguments: [String], options definitions: [OptionDefinition]) throws {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        for word in rest { add(word) }
        break
      } else if word.hasPrefix("--") {
        try parseLong(word, &rest, definitions)
      } else if word.hasPrefix("-"), word.count > 1 {
        try parseShort(word, &rest, definitions)
      } else {
        add(word)
      }
    }
  }

  private mutating func add(_ word: String) {
    words.append(word)
    optionsBefore.append(options.count)
  }

  /// The words and the values of the option `name`, in the order given.
  func wordsAndValues(of name: String) -> [String] {
    var result: [String] = []
    var next = 0
    for index in 0...options.count {
      while next < words.count, optionsBefore[next] == index {
        result.append(words[next])
        next += 1
      }
      if index < options.count, options[index].name == name, let value = options[index].value {
        result.append(value)
      }
    }
    return result
  }

  private mutating func parseLong(
    _ word: String, _ rest: inout ArraySlice<String>, _ definitions: [OptionDefinition]
  ) throws {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let written = String(parts[0])
    let name = written.contains("_") ? written.replacing("_", with: "-") : written
    guard let definition = definitions.first(where: { $0.name == name }) else {
      throw AggregateError(
        .configuration, "unknown option --\(written)",
        hint: Suggestions.nearest(to: name, in: definitions.map(\.name)).first
          .map { "did you mean --\($0)?" } ?? "see --help")
    }
    let attached = parts.count > 1 ? String(parts[1]) : nil
    switch definition.argument {
    case .none:
      if attached != nil {
        throw AggregateError(.configuration, "option --\(name) takes no value")
      }
      options.append(Given(name: name, value: nil))
    case .optional:
      options.append(Given(name: name, value: attached))
    case .required(let value):
      guard let text = attached ?? rest.popFirst() else {
        throw AggregateError(.configuration, "option --\(name) needs a value: \(value)")
      }
      options.append(Given(name: name, value: text))
    }
  }

  private mutating func parseShort(
    _ word: String, _ rest: inout ArraySlice<String>, _ definitions: [OptionDefinition]
  ) throws {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let definition = definitions.first(where: { $0.short == letter }) else {
        throw AggregateError(
          .configuration, "unknown option -\(letter)" + (word.count > 2 ? " in “\(word)”" : ""),
          hint: "a word that begins with a dash goes behind --")
      }
      guard case .required(let value) = definition.argument else {
        options.append(Given(name: definition.name, value: nil))
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      guard let text = letters.isEmpty ? rest.popFirst() : String(letters) else {
        throw AggregateError(.configuration, "option -\(letter) needs a value: \(value)")
      }
      options.append(Given(name: definition.name, value: text))
      return
    }
  }

  /// Whether a switch was given.
  func has(_ name: String) -> Bool { options.contains { $0.name == name } }

  /// The last value given for an option.
  func value(_ name: String) -> String? { options.last { $0.name == name }?.value }

  /// All values given for an option, in order.
  func values(_ name: String) -> [String] { options.filter { $0.name == name }.compactMap(\.value) }
}
