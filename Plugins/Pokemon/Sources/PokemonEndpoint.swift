public import AggregateCore
import AggregateJSON

/// Which documents are asked for: pages of a list, or one document per entry.
public struct PokemonEndpoint: Endpoint {
  /// What is read on its own.
  public enum Partition: Sendable, Hashable {
    /// The whole list, page by page.
    case list
    /// One document: what the address calls it, and what messages do.
    case document(key: String, name: String)
    /// The evolution chain of a species, which the species' document names.
    case chain(species: String)
  }

  /// What the decoder makes of a body.
  public typealias Payload = PokemonAnswer

  /// The address below which the resources are; nil when the option is wrong, which was reported.
  let base: WebURL?
  let resource: PokemonResource
  let isDetail: Bool
  let names: [String]?
  let limit: Int
  let offset: Int
  let pageSize: Int
  /// The type that entries must have; nil for any.
  let type: String?

  /// Where the entries of the list are.
  var listing: PokemonListing { PokemonListing(resource, type: type, offset: offset) }

  /// The list, or with `detail` one partition per entry of the list, found page by page.
  public func partitions(
    _ context: ProviderContext, yield: (Partition) async throws -> Void
  ) async throws {
    // What is left out before or behind would be behind the cursor.
    if limit < .max || offset > 0 { context.leaveCursors() }
    if names != nil {
      for partition in named { try await yield(partition) }
      return
    }
    guard limit > 0 else { return }
    guard isDetail else { return try await yield(.list) }
    var read = 0
    var pages = 0
    var seen: [[Int64]: Int] = [:]
    var next: HTTPRequest? = try listRequest(after: 0)
    while let request = next {
      let response: HTTPResponse
      do {
        response = try await context.http.send(request)
      } catch let error as AggregateError {
        throw await explain(error, of: .list, context)
      }
      let page = try PokemonDecoder().decode(response)
      let entries = try listing.entries(of: page).prefix(max(0, limit - read))
      if let earlier = seen.updateValue(pages, forKey: entries.map(\.id)), !entries.isEmpty {
        throw AggregateError(
          .pagination,
          "page \(pages + 1) of the list has the same entries as page \(earlier + 1): the server "
            + "ignores how it is asked")
      }
      for entry in entries {
        try await yield(.document(key: String(entry.id), name: entry.name ?? String(entry.id)))
      }
      read += entries.count
      pages += 1
      guard try goesOn(after: page, read: read), !entries.isEmpty else { return }
      if pages >= context.maxPages ?? .max { return context.noteMaxPages(pages) }
      next = try listRequest(after: read)
    }
  }

  /// The documents asked for by name or number.
  var named: [Partition] {
    (names ?? []).dropFirst(offset).prefix(limit).map { name in
      resource.hasNames || Int(name) != nil
        ? .document(key: name, name: name) : .chain(species: name)
    }
  }

  /// The first request of a partition.
  public func request(for partition: Partition) throws -> HTTPRequest {
    switch partition {
    case .list: return try listRequest(after: 0)
    case .document(let key, _):
      return HTTPRequest("GET", try address(of: resource, key))
    case .chain(let species):
      return HTTPRequest("GET", try address(of: .species, species))
    }
  }

  /// The next page of the list, while there is one and more entries are wanted; the chain of a species.
  public func request(after page: Page<Partition, PokemonAnswer>) throws -> HTTPRequest? {
    if case .chain = page.partition {
      guard let chain = page.payload.chainOfSpecies?.referredID else { return nil }
      return HTTPRequest("GET", try address(of: resource, String(chain)))
    }
    guard case .list = page.partition, page.rowCount > 0 else { return nil }
    let read = page.rowsBefore + page.rowCount
    return try goesOn(after: page.payload, read: read) ? listRequest(after: read) : nil
  }

  /// Names the document that failed; for a name that is not found, the nearest one that exists.
  public func explain(
    _ error: AggregateError, of partition: Partition, _ context: ProviderContext
  ) async -> AggregateError {
    var error = error
    let (key, name, sought): (String, String, PokemonResource)
    switch partition {
    case .document(let asked, let called): (key, name, sought) = (asked, called, resource)
    case .chain(let species): (key, name, sought) = (species, species, .species)
    case .list:
      if let type, error.status == 404, let types = PokemonResource.named("type") {
        error.message = "there is no type “\(type)”: \(error.message)"
        let near = await nearest(to: type, types, context)
        error.hint = near.map { "did you mean “\($0)”?" } ?? error.hint
      }
      return advised(error)
    }
    guard error.status == 404 else {
      if !error.message.contains("“\(name)”") { error.message = "“\(name)”: \(error.message)" }
      return advised(error)
    }
    error.message = "there is no \(sought.name) “\(name)”: \(error.message)"
    error.hint =
      await nearest(to: key, sought, context).flatMap { $0 == key.lowercased() ? nil : $0 }
      .map { "did you mean “\($0)”?" }
      ?? (names == nil ? nil : "without “names” all there are come as a list")
    return error
  }

  /// The error of a service that does not answer with what may help.
  private func advised(_ error: AggregateError) -> AggregateError {
    var error = error
    if error.hint == nil, error.code == .unavailable {
      error.hint = "the service itself fails: try again later, or give a mirror in “base_url”"
    }
    return error
  }

  private func nearest(
    to key: String, _ resource: PokemonResource, _ context: ProviderContext
  ) async -> String? {
    guard Int(key) == nil, var url = try? address(of: resource) else { return nil }
    url.append(query: "limit", "10000")
    url.append(query: "offset", "0")
    guard let response = try? await context.http.send(HTTPRequest("GET", url)),
      let page = try? PokemonDecoder().decode(response),
      let entries = try? PokemonListing(resource).entries(of: page)
    else { return nil }
    return Self.nearest(to: key, in: entries.compactMap(\.name))
  }

  /// The name that is meant: first one that begins with the key, such as `giratina-altered` for the species.
  ///
  /// Lists have the default variety of a species before its others.
  static func nearest(to key: String, in names: [String]) -> String? {
    let species = key.lowercased() + "-"
    if let variety = names.first(where: { $0.hasPrefix(species) }) { return variety }
    var meant = Dictionary(names.map { ($0, $0) }) { first, _ in first }
    for name in names {
      for dash in name.indices where name[dash] == "-" {
        let species = String(name[..<dash])
        if meant[species] == nil { meant[species] = name }
      }
    }
    if let near = Suggestions.nearest(to: key, in: Array(meant.keys)).first { return meant[near] }
    // A variety where species are asked for: `ponyta-galar`.
    return names.filter { key.lowercased().hasPrefix("\($0)-") }.max { $0.count < $1.count }
  }

  /// Whether the list has more entries behind `read` of them; without “next”, its “count” says so.
  private func goesOn(after page: PokemonAnswer, read: Int) throws -> Bool {
    guard type == nil, read < limit else { return false }
    guard let next = page.document.root["next"] else {
      guard let count = page.document.root["count"]?.wholeNumber else { return false }
      let (end, overflow) = offset.addingReportingOverflow(read)
      return !overflow && end < count
    }
    if next.isNull { return false }
    guard next.string != nil else { throw DetailForm.text.refusal(of: next) }
    return true
  }

  private func listRequest(after read: Int) throws -> HTTPRequest {
    if let type, let types = PokemonResource.named("type") {
      return HTTPRequest("GET", try address(of: types, type))
    }
    var url = try address
    url.append(query: "limit", String(min(pageSize, max(1, limit - read))))
    url.append(query: "offset", String(offset + read))
    return HTTPRequest("GET", url)
  }

  /// The address of the resource, without a slash at its end.
  var address: WebURL {
    get throws { try address(of: resource) }
  }

  private func address(of resource: PokemonResource, _ key: String) throws -> WebURL {
    var url = try address(of: resource)
    url.path += "/\(WebURL.encoded(key.lowercased()))"
    return url
  }

  private func address(of resource: PokemonResource) throws -> WebURL {
    guard var url = base else {
      throw AggregateError(.configuration, "“base_url” is not an address")
    }
    url.path += "/\(resource.path)"
    return url
  }
}
