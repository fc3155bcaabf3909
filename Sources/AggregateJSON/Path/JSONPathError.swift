/// Why a text is not a JSONPath.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  public let message: String
  /// Where, in characters (Unicode scalars) from the beginning of the text.
  public let offset: Int
  /// What would be valid.
  public let hint: String?

  /// Creates an error.
  public init(_ message: String, offset: Int, hint: String? = nil) {
    self.message = message
    self.offset = offset
    self.hint = hint
  }

  /// The message, the place counted from 1, and the hint.
  public var description: String {
    "\(message) at character \(offset + 1)" + (hint.map { " (\($0))" } ?? "")
  }
}
