/// Functions of times and dates.
enum TimeFunctions {
  static let all: [FunctionSpec] = []
}
