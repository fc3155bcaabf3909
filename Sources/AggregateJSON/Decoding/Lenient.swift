/// A value that may be missing, null or of another type than expected: then it is nil.
///
/// For fields that a service fills as it likes; write `@Lenient var humidity: Double?`.
@propertyWrapper
public struct Lenient<Wrapped: Decodable>: Decodable {
  /// The value, when there was one of the type.
  public var wrappedValue: Wrapped?

  /// Creates a value.
  public init(wrappedValue: Wrapped?) { self.wrappedValue = wrappedValue }

  /// Decodes a value, or else is nil.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try? decoder.singleValueContainer().decode(Wrapped.self)
  }
}

extension Lenient: Sendable where Wrapped: Sendable {}
extension Lenient: Equatable where Wrapped: Equatable {}
extension Lenient: Hashable where Wrapped: Hashable {}

extension KeyedDecodingContainer {
  /// Decodes a lenient value, which is nil when the key is missing.
  public func decode<Wrapped>(
    _ type: Lenient<Wrapped>.Type, forKey key: Key
  ) throws -> Lenient<Wrapped> {
    try decodeIfPresent(type, forKey: key) ?? Lenient(wrappedValue: nil)
  }
}
