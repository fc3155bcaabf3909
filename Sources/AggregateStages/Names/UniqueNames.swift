/// Names that differ by more than case.
enum UniqueNames {
  /// The names, those that stood before with a number behind them: `a`, `A_2`, `a_3`.
  static func numbered(_ names: [String]) -> [String] {
    var used: Set<String> = []
    return names.map { name in
      var unique = name
      var number = 2
      while !used.insert(unique.lowercased()).inserted {
        unique = "\(name)_\(number)"
        number += 1
      }
      return unique
    }
  }
}
