import AggregateCore

/// What a function takes as an argument.
enum ParameterType: Sendable, Equatable {
  case text
  case int
  case number
  case bool
  case time
  case json
  case any

  /// Whether a value of `type` may stand for it; text constants are looked at by the binder.
  func accepts(_ type: ExpressionType) -> Bool {
    if type == .null || type.isOpen { return true }
    switch self {
    case .any, .text: return true
    case .int, .number: return type.isNumeric
    case .bool: return type == .bool || type.isNumeric
    case .time: return type.isTime
    case .json: return type == .text
    }
  }

  var shown: String {
    switch self {
    case .text: "text"
    case .int: "an integer"
    case .number: "a number"
    case .bool: "a boolean"
    case .time: "a time or a date"
    case .json: "JSON"
    case .any: "a value"
    }
  }
}

/// One argument of a function.
struct Parameter: Sendable {
  enum Form: Sendable {
    case required
    case optional
    case repeated
  }

  let name: String
  let type: ParameterType
  let form: Form

  static func text(_ name: String = "text", _ form: Form = .required) -> Parameter {
    Parameter(name: name, type: .text, form: form)
  }
  static func int(_ name: String = "n", _ form: Form = .required) -> Parameter {
    Parameter(name: name, type: .int, form: form)
  }
  static func number(_ name: String = "x", _ form: Form = .required) -> Parameter {
    Parameter(name: name, type: .number, form: form)
  }
  static func time(_ name: String = "time", _ form: Form = .required) -> Parameter {
    Parameter(name: name, type: .time, form: form)
  }
  static func json(_ name: String = "json", _ form: Form = .required) -> Parameter {
    Parameter(name: name, type: .json, form: form)
  }
  static func any(_ name: String = "value", _ form: Form = .required) -> Parameter {
    Parameter(name: name, type: .any, form: form)
  }
}

/// A constant argument that makes no sense.
struct ArgumentMistake: Error {
  let index: Int
  let message: String
  let hint: String?

  init(_ index: Int, _ message: String, hint: String? = nil) {
    self.index = index
    self.message = message
    self.hint = hint
  }
}

/// A function of the language: what it is called, what it takes, and how it is computed.
struct FunctionSpec: Sendable {
  /// What is known of a call when it is compiled.
  struct Call: Sendable {
    /// The types of the arguments.
    let types: [ExpressionType]
    /// The constant arguments; nil for the others.
    let constants: [Scalar?]

    func text(_ index: Int) -> String? {
      guard index < constants.count, let scalar = constants[index] else { return nil }
      return scalar.text
    }
  }

  let name: String
  let aliases: [String]
  let parameters: [Parameter]
  let summary: String
  /// An expression without columns, and the text of its value.
  let example: String
  let result: String
  let group: String
  let type: @Sendable (Call) -> ExpressionType
  let make: @Sendable (Call) throws(ArgumentMistake) -> Kernel

  init(
    _ name: String, _ aliases: [String], _ parameters: [Parameter], _ type: ExpressionType,
    _ summary: String, _ example: String, _ result: String, group: String,
    _ kernel: @escaping Kernel
  ) {
    self.init(
      name, aliases, parameters, type: { _ in type }, summary, example, result, group: group,
      make: { _ in kernel })
  }

  init(
    _ name: String, _ aliases: [String], _ parameters: [Parameter],
    type: @escaping @Sendable (Call) -> ExpressionType, _ summary: String, _ example: String,
    _ result: String, group: String,
    make: @escaping @Sendable (Call) throws(ArgumentMistake) -> Kernel
  ) {
    self.name = name
    self.aliases = aliases
    self.parameters = parameters
    self.summary = summary
    self.example = example
    self.result = result
    self.group = group
    self.type = type
    self.make = make
  }

  /// `name(a, b, …)`.
  var signature: String {
    let words = parameters.map { parameter in
      switch parameter.form {
      case .required: parameter.name
      case .optional: "[\(parameter.name)]"
      case .repeated: "\(parameter.name)…"
      }
    }
    return "\(name)(\(words.joined(separator: ", ")))"
  }

  /// How many arguments it takes.
  var arity: ClosedRange<Int> {
    let required = parameters.filter { $0.form != .optional }.count
    let isOpen = parameters.contains { $0.form == .repeated }
    return required...(isOpen ? 1000 : parameters.count)
  }

  func parameter(_ index: Int) -> ParameterType {
    index < parameters.count ? parameters[index].type : parameters.last?.type ?? .any
  }
}
