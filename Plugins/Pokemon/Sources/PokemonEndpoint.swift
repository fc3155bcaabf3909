public import AggregateCore
import AggregateJSON

/// Which documents are asked for: pages of a list, or one document per entry.
public struct PokemonEndpoint: Endpoint {
  /// What is read on its own.
  public enum Part: Sendable, Hashable {
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
  private(set) var isDetail: Bool
  let names: [String]?
  let limit: Int
  let offset: Int
  let pageSize: Int
  /// The type that entries must have; nil for any.
  let type: String?

  /// Where the entries of the list are.
  var listing: PokemonListing { PokemonListing(resource, type: type, offset: offset) }

  /// The list, or with `detail` one part per entry of the list, found page by page.
  public func parts(
    _ context: ProviderContext, yield: (Part) async throws -> Void
  ) async throws {
    // What is left out before or behind would be behind the cursor.
    if limit < .max || offset > 0 { context.leaveCursors() }
    if names != nil {
      for part in named { try await yield(part) }
      return
    }
    guard limit > 0 else { return }
    guard isDetail else { return try await yield(.list) }
    try await context.rows(of: PokemonProvider(listOf: self)) { entries in
      for row in 0..<entries.rowCount {
        let entry = entries.row(row).prefix(2).map { $0.isNull ? nil : $0.displayText }
        guard let key = entry[0] else { continue }
        try await yield(.document(key: key, name: entry[1] ?? key))
      }
    }
  }

  /// The same entries as a list.
  var asList: PokemonEndpoint {
    var list = self
    list.isDetail = false
    return list
  }

  /// The documents asked for by name or number.
  var named: [Part] {
    (names ?? []).dropFirst(offset).prefix(limit).map { name in
      resource.hasNames || Int(name) != nil
        ? .document(key: name, name: name) : .chain(species: name)
    }
  }

  /// The request for a part, without its pages.
  public func request(for part: Part) throws -> HTTPRequest {
    switch part {
    case .list:
      guard let type, let types = PokemonResource.named("type") else {
        return HTTPRequest("GET", try address)
      }
      return HTTPRequest("GET", try address(of: types, type))
    case .document(let key, _):
      return HTTPRequest("GET", try address(of: resource, key))
    case .chain(let species):
      return HTTPRequest("GET", try address(of: .species, species))
    }
  }

  /// The list goes on while it names a next page, or its “count” says so; the document of a type has all.
  public func paging(of part: Part) -> Paging<PokemonAnswer> {
    guard case .list = part else { return .rule }
    var paging = Paging<PokemonAnswer>.single
    if type == nil {
      var numbered = Paging<PokemonAnswer>.Numbered(
        "offset", first: offset, sizeParam: "limit", size: pageSize)
      numbered.hasSizeFirst = true
      numbered.total = .init("count") { $0.document.root["count"]?.pagingValue }
      numbered.more = .init("next") { answer in
        let root = answer.document.root
        guard let next = root["next"] else { return root["count"] == nil ? .flag(false) : nil }
        if next.isNull { return .flag(false) }
        guard next.string != nil else { throw DetailForm.text.refusal(of: next) }
        return .flag(true)
      }
      paging = Paging(.offset(numbered)) { $0.document.root["results"]?.count ?? 0 }
      paging.recordsDiffer = true
    }
    paging.limit = limit
    return paging
  }

  /// The chain of a species, which its document names.
  public func request(
    after page: Page<Part, PokemonAnswer>, _ context: ProviderContext
  ) throws -> HTTPRequest? {
    guard case .chain = page.part, let chain = page.payload.chainOfSpecies?.referredID else {
      return nil
    }
    return HTTPRequest("GET", try address(of: resource, String(chain)))
  }

  /// Names the document that failed; for a name that is not found, the nearest one that exists.
  public func explain(
    _ error: AggregateError, of part: Part, _ context: ProviderContext
  ) async -> AggregateError {
    var error = error
    let (key, name, sought): (String, String, PokemonResource)
    switch part {
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
