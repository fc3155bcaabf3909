public import AggregateCore
public import AggregateJSON

/// A body as a document; of the large ones only what the mapper looks at is ever converted.
public struct PokemonDecoder: PayloadDecoder {
  /// Parses a body.
  public func decode(_ response: HTTPResponse) throws -> JSONDocument {
    do {
      return try JSONDocument(parsing: response.body)
    } catch var error as AggregateError {
      error.message = "\(response.url): \(error.message)"
      throw error
    }
  }
}
