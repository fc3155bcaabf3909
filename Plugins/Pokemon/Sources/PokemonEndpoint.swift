public import AggregateCore
public import AggregateJSON

/// Which documents are asked for: pages of a list, or one document per Pokémon.
public struct PokemonEndpoint: Endpoint {
  /// What is read on its own.
  public enum Partition: Sendable, Hashable {
    /// The whole list, page by page.
    case list
    /// One document, by name or number.
    case document(String)
  }

  /// What the decoder makes of a body.
  public typealias Payload = JSONDocument

  let base: WebURL?
  let resource: String
  let isDetail: Bool
  let names: [String]?
  let limit: Int?
  let offset: Int
  let pageSize: Int

  /// The list, or with `detail` one partition per entry of the list, found page by page.
  public func partitions(
    _ context: ProviderContext, yield: (Partition) async throws -> Void
  ) async throws {
    if let names {
      for name in names.prefix(limit ?? .max) { try await yield(.document(name)) }
      return
    }
    guard isDetail else { return try await yield(.list) }
    var read = 0
    var next: HTTPRequest? = try listRequest(after: 0)
    while let request = next {
      let response = try await context.http.send(request)
      let page = try PokemonDecoder().decode(response)
      let entries = try PokemonMapper.entries(of: page)
      for entry in entries.prefix((limit ?? .max) - read) { try await yield(.document(String(entry.id))) }
      read += entries.count
      next = try isLast(page, read: read, entries: entries.count) ? nil : listRequest(after: read)
    }
  }

  /// The first request of a partition.
  public func request(for partition: Partition) throws -> HTTPRequest {
    switch partition {
    case .list: return try listRequest(after: 0)
    case .document(let name):
      var url = try address()
      url.path += "/\(WebURL.encoded(name.lowercased()))"
      return HTTPRequest("GET", url)
    }
  }

  /// The next page of the list, while there is one and more entries are wanted.
  public func request(after page: Page<Partition, JSONDocument>) throws -> HTTPRequest? {
    guard case .list = page.partition else { return nil }
    let entries = try PokemonMapper.entries(of: page.payload).count
    let read = page.rowsBefore + page.rowCount
    return try isLast(page.payload, read: read, entries: entries) ? nil : listRequest(after: read)
  }

  private func isLast(_ page: JSONDocument, read: Int, entries: Int) -> Bool {
    entries == 0 || read >= limit ?? .max || page.root["next"]?.string == nil
  }

  private func listRequest(after read: Int) throws -> HTTPRequest {
    var url = try address()
    url.append(query: "limit", String(min(pageSize, max(1, (limit ?? .max) - read))))
    url.append(query: "offset", String(offset + read))
    return HTTPRequest("GET", url)
  }

  private func address() throws -> WebURL {
    guard var url = base else {
      throw AggregateError(.configuration, "“base_url” is not an address")
    }
    while url.path.hasSuffix("/") { url.path.removeLast() }
    url.path += "/\(resource)"
    return url
  }
}
