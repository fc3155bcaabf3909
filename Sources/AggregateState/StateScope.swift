/// Whose state it is: a source of one configuration file.
public struct StateScope: Sendable, Hashable {
  /// The absolute path of the configuration file.
  public let config: String
  /// The name of the source.
  public let source: String

  /// Creates a scope.
  public init(config: String, source: String) {
    self.config = config
    self.source = source
  }
}
