/// Functions of text.
enum TextFunctions {
  static let all: [FunctionSpec] = []
}
