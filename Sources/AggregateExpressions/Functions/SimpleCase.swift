/// Case by code point, so that the number of code points stays.
enum SimpleCase {
  static func upper(_ text: String) -> String { mapped(text, \.uppercaseMapping) }
  static func lower(_ text: String) -> String { mapped(text, \.lowercaseMapping) }

  private static func mapped(
    _ text: String, _ mapping: KeyPath<Unicode.Scalar.Properties, String>
  ) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let changed = scalar.properties[keyPath: mapping].unicodeScalars
      if changed.count == 1, let first = changed.first {
        result.append(first)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
