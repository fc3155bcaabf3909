public import AggregateCore
import AggregateJSON

/// A body as a document; of the large ones only what the mapper looks at is kept, or ever converted.
public struct PokemonDecoder: PayloadDecoder {
  /// The members of a document that are kept; nil for all.
  private let members: JSONMemberNames?

  /// Creates a decoder of whole documents.
  init() { members = nil }

  /// Creates a decoder for the documents of a resource, of which it keeps what its columns are made of.
  init(_ detail: PokemonResource.Detail) {
    members =
      switch detail {
      case .row(let fields):
        JSONMemberNames(["id", "name"] + fields.flatMap { $0.members.map(\.name) })
      case .evolution: nil
      }
  }

  /// Parses a body.
  public func decode(_ response: HTTPResponse) throws -> PokemonAnswer {
    let document = try JSONDocument(answer: response, members: members)
    return PokemonAnswer(document: document, url: members == nil ? response.url : nil)
  }
}

/// A list page, or the document of one entry.
public struct PokemonAnswer: Sendable {
  /// The whole of it.
  let document: JSONDocument
  /// Where it came from, to which the addresses of a list may be relative; nil for an entry's document.
  var url: WebURL?

  /// Where the evolution chain is, when it is the document of a species; it has no chain itself.
  var chainOfSpecies: JSONNode? {
    document.root["chain"] == nil ? document.root["evolution_chain"] : nil
  }
}
