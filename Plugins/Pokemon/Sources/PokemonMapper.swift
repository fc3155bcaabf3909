public import AggregateCore
import AggregateJSON

/// From list pages and documents to rows.
public struct PokemonMapper: RowMapper {
  /// The schema of the rows.
  public let schema: Schema
  private let detail: PokemonResource.Detail?
  private let documents: String
  private let listing: PokemonListing

  /// Creates a mapper of what `endpoint` asks for.
  init(_ endpoint: PokemonEndpoint) {
    detail = endpoint.isDetail ? endpoint.resource.detail : nil
    documents = (try? endpoint.address)?.description ?? ""
    listing = endpoint.listing
    schema = Schema(
      endpoint.isDetail ? endpoint.resource.detailColumns : PokemonResource.listColumns)
  }

  /// Appends the rows of a list page, or the rows of a document.
  public func map(
    _ payload: PokemonAnswer, of part: PokemonEndpoint.Part, into rows: inout BatchBuilder
  ) throws {
    switch part {
    case .list:
      for entry in try listing.entries(of: payload) {
        rows.append(entry.id)
        rows.append(entry.name)
        rows.append(entry.url)
        rows.endRow()
      }
    case .document(_, let name): try mapDocument(payload.document.root, name, into: &rows)
    case .chain(let species):
      guard let chain = payload.chainOfSpecies else {
        return try mapDocument(payload.document.root, species, into: &rows)
      }
      // The chain itself is still to come; a species may be without.
      let form = DetailForm.object([("url", .address)])
      if !chain.isNull, var error = form.misfit(chain) ?? noAddress(chain) {
        error.message = "the document of “\(species)”: \(error.message)"
        throw error
      }
    }
  }

  private func mapDocument(
    _ root: JSONNode, _ asked: String, into rows: inout BatchBuilder
  ) throws {
    guard let id = root["id"]?.wholeNumber else { throw noID(root, asked) }
    let address = "\(documents)/\(id)/"
    do {
      switch detail {
      case .row(let fields)?: try Self.append(root, fields, id, to: &rows)
      case .evolution?:
        for step in try EvolutionStep.steps(of: root) {
          try step.append(to: &rows, chain: id)
          rows.append(address)
          rows.endRow()
        }
        return
      case nil: try Self.append(root, [], id, to: &rows)
      }
    } catch var error as AggregateError {
      error.message = "\(address): \(error.message)"
      throw error
    }
    rows.append(address)
    rows.endRow()
  }

  private static func append(
    _ root: JSONNode, _ fields: [DetailField], _ id: Int64, to rows: inout BatchBuilder
  ) throws {
    rows.append(id)
    let name = root["name"]
    let text = name?.string
    if text == nil, let name, !name.isNull { throw DetailForm.text.refusal(of: name) }
    rows.append(text)
    for field in fields {
      let value = field.read(root)
      if value.isNull, let error = field.misfit(in: root) { throw error }
      rows.append(value)
    }
  }

  private func noAddress(_ chain: JSONNode) -> AggregateError? {
    if chain["url"]?.isNull == false { return nil }
    return AggregateError(.badData, "“evolution_chain” has no “url”")
  }

  private func noID(_ root: JSONNode, _ asked: String) -> AggregateError {
    guard let id = root["id"] else {
      return AggregateError(
        .badData, "the document of “\(asked)” has no “id”", hint: "is “base_url” a PokéAPI?")
    }
    return AggregateError(
      .badData,
      "the “id” of the document of “\(asked)” is \(id.shown), where a whole number is expected",
      hint: "is “base_url” a PokéAPI?")
  }
}
