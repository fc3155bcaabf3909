public import AggregateCore
import AggregateJSON

/// A body as a document; of the large ones only what the mapper looks at is ever converted.
public struct PokemonDecoder: PayloadDecoder {
  /// Parses a body.
  public func decode(_ response: HTTPResponse) throws -> PokemonAnswer {
    let offset = response.url.queryItems.first { $0.name == "offset" }?.value
    return PokemonAnswer(
      document: try JSONDocument(answer: response), offset: offset.flatMap { Int($0) } ?? 0)
  }
}

/// A list page, or the document of one entry.
public struct PokemonAnswer: Sendable {
  /// The whole of it.
  let document: JSONDocument
  /// How many entries of the list come before the page.
  let offset: Int
}
