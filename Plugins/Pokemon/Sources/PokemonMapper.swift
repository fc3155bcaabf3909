public import AggregateCore
import AggregateJSON

/// From list pages and documents to rows.
public struct PokemonMapper: RowMapper {
  /// One entry of a list.
  struct Entry {
    let id: Int64
    let name: String?
    let url: String
  }

  /// The schema of the rows.
  public let schema: Schema
  private let detail: PokemonResource.Detail?
  private let documents: String
  private let end: Int

  /// Creates a mapper of what `endpoint` asks for.
  init(_ endpoint: PokemonEndpoint) {
    detail = endpoint.isDetail ? endpoint.resource.detail : nil
    documents = (try? endpoint.address)?.description ?? ""
    let (end, overflow) = endpoint.offset.addingReportingOverflow(endpoint.limit)
    self.end = overflow ? .max : end
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
      for entry in try Self.entries(of: payload.document).prefix(max(0, end - payload.offset)) {
        rows.append(entry.id)
        rows.append(entry.name)
        rows.append(entry.url)
        rows.endRow()
      }
    case .document(_, let name): try mapDocument(payload.document.root, name, into: &rows)
    }
  }

  /// The entries of a list page.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when it is none.
  static func entries(of page: JSONDocument) throws -> [Entry] {
    guard let results = page.root["results"], results.kind == .array else {
      throw AggregateError(
        .badData, "the answer has no list “results”", hint: "is “base_url” a PokéAPI?")
    }
    return try results.elements.map { entry in
      // Some lists (machines, evolution chains) have no names, all have addresses that end in the id.
      guard let url = entry["url"]?.string,
        let id = url.split(separator: "/").last.flatMap({ Int64($0) })
      else {
        throw AggregateError(.badData, "an entry of the list has no address: \(entry.rawText)")
      }
      return Entry(id: id, name: entry["name"]?.string, url: url)
    }
  }

  private func mapDocument(
    _ root: JSONNode, _ asked: String, into rows: inout BatchBuilder
  ) throws {
    guard let id = root["id"]?.int64 else {
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
      for field in fields { rows.append(field.read(root)) }
    }
    rows.append(address)
    rows.endRow()
  }
}
