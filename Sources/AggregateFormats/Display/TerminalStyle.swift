/// What a writer for people may assume of where its output goes.
public struct TerminalStyle: Sendable, Hashable {
  /// How many columns there are; nil when it is no terminal, so that nothing is cut off.
  public var width: Int?
  /// Whether colours are wanted.
  public var hasColor: Bool

  /// Whether somebody reads along, so that JSON is indented.
  public var isTerminal: Bool

  /// Creates a style; the default suits files and pipes.
  public init(width: Int? = nil, hasColor: Bool = false, isTerminal: Bool = false) {
    self.width = width
    self.hasColor = hasColor
    self.isTerminal = isTerminal
  }

  func bold(_ text: String) -> String { hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func dim(_ text: String) -> String { hasColor ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
