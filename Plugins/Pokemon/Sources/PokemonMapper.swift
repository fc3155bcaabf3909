public import AggregateCore
import AggregateJSON

/// From list pages and documents to rows.
public struct PokemonMapper: RowMapper {
  /// The schema of the rows.
  public let schema: Schema
  private let detail: PokemonResource.Detail?
  private let documents: String
  private let end: Int
  private let listing: PokemonListing

  /// Creates a mapper of what `endpoint` asks for.
  init(_ endpoint: PokemonEndpoint) {
    detail = endpoint.isDetail ? endpoint.resource.detail : nil
    documents = (try? endpoint.address)?.description ?? ""
    listing = endpoint.listing
    let (end, overflow) = endpoint.offset.addingReportingOverflow(endpoint.limit)
    self.end = endpoint.type != nil ? endpoint.limit : overflow ? .max : end
    schema = Schema(
      endpoint.isDetail ? endpoint.resource.detailColumns : PokemonResource.listColumns)
  }

  /// Appends the rows of a list page, or the rows of a document.
  public func map(
    _ payload: PokemonAnswer, of partition: PokemonEndpoint.Partition, into rows: inout BatchBuilder
  ) throws {
    switch partition {
    case .list:
      // A mirror may give more entries than were asked for.
      for entry in try listing.entries(of: payload).prefix(max(0, end - payload.offset)) {
        rows.append(entry.id)
        rows.append(entry.name)
        rows.append(entry.url)
        rows.endRow()
      }
    case .document(_, let name): try mapDocument(payload.document.root, name, into: &rows)
    }
  }

  private func mapDocument(
    _ root: JSONNode, _ asked: String, into rows: inout BatchBuilder
  ) throws {
    guard let id = root["id"]?.wholeNumber else {
      throw AggregateError(
        .badData, "the document of “\(asked)” has no “id”", hint: "is “base_url” a PokéAPI?")
    }
    let address = "\(documents)/\(id)/"
    if case .evolution? = detail {
      for step in try EvolutionStep.steps(of: root) {
        step.append(to: &rows, chain: id)
        rows.append(address)
        rows.endRow()
      }
      return
    }
    rows.append(id)
    rows.append(root["name"]?.string)
    if case .row(let fields)? = detail {
      for field in fields {
        let value = field.read(root)
        if value.isNull, var error = field.misfit(in: root) {
          error.message = "\(address): \(error.message)"
          throw error
        }
        rows.append(value)
      }
    }
    rows.append(address)
    rows.endRow()
  }
}
