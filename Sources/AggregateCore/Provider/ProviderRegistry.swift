/// The providers that this program knows, by name. Instantiable, for tests.
public struct ProviderRegistry: Sendable {
  /// All providers, in the order they are listed.
  public let providers: [any Provider.Type]

  /// Creates a registry; names must be unique.
  public init(_ providers: [any Provider.Type]) { self.providers = providers }

  /// The names, in order.
  public var names: [String] { providers.map { $0.spec.name } }

  /// The provider of this name.
  public subscript(name: String) -> (any Provider.Type)? {
    providers.first { $0.spec.name == name }
  }
}
