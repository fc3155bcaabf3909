public import AggregateCore

/// The key that a service wants with every request, and where in the request it stands.
public struct JSONKey: Sendable {
  private enum Place {
    case header(String, prefix: String)
    case query(String)
  }

  let key: ServiceKey
  private let place: Place

  private init(_ key: ServiceKey, _ place: Place) {
    self.key = key
    self.place = place
  }

  /// A header field, such as `X-Api-Key: KEY` or, with the prefix `Bearer `, `Authorization: Bearer KEY`.
  public static func header(_ name: String, _ key: ServiceKey, prefix: String = "") -> JSONKey {
    JSONKey(key, .header(name, prefix: prefix))
  }

  /// A parameter of the address; logs, recordings and messages show it as `***`.
  public static func query(_ name: String, _ key: ServiceKey) -> JSONKey {
    JSONKey(key, .query(name))
  }

  /// What is added to a request; nil without a key, as with samples.
  var credential: Credential? {
    key.value.map { value in
      switch place {
      case .header(let name, let prefix): .header(name: name, value: prefix + value)
      case .query(let name): .query(name: name, value: value)
      }
    }
  }
}
