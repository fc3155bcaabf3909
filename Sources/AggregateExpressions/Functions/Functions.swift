/// All scalar functions, by name.
enum Functions {
  static let all: [FunctionSpec] =
    NumberFunctions.all + TextFunctions.all + TimeFunctions.all + NestedFunctions.all

  static let byName: [String: FunctionSpec] = {
    var result: [String: FunctionSpec] = [:]
    for spec in all {
      for name in [spec.name] + spec.aliases { result[name] = spec }
    }
    return result
  }()

  /// Functions that the binder handles itself, since they are lazy.
  static let lazy = ["coalesce", "ifnull", "if", "iff", "nullif", "greatest", "least", "try"]

  static let names = (Array(byName.keys) + lazy).sorted()
}
