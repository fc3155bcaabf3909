public import AggregateCore
public import AggregateJSON

/// One partition, the whole query, page by page.
public struct EarthquakesEndpoint: Endpoint {
  let base: WebURL?
  let query: [(name: String, value: String)]
  let limit: Int
  let pageSize: Int

  /// One, unless nothing is wanted.
  public func partitions(_ context: ProviderContext, yield: (Int) async throws -> Void) async throws
  {
    if limit > 0 { try await yield(0) }
  }

  /// The request for the page that begins after `first` events.
  public func request(for first: Int) throws -> HTTPRequest {
    guard var url = base else {
      throw AggregateError(.configuration, "“base_url” is not an address")
    }
    while url.path.hasSuffix("/") { url.path.removeLast() }
    url.path += "/query"
    url.append(query: "format", "geojson")
    for item in query { url.append(query: item.name, item.value) }
    url.append(query: "limit", String(min(pageSize, limit - first)))
    // The service counts from 1.
    url.append(query: "offset", String(first + 1))
    return HTTPRequest("GET", url)
  }

  /// The next page, while pages are full and more events are wanted.
  public func request(after page: Page<Int, JSONDocument>) throws -> HTTPRequest? {
    let read = page.rowsBefore + page.rowCount
    let wanted = min(pageSize, limit - page.rowsBefore)
    // A page that is longer than asked for has everything.
    return page.rowCount == wanted && read < limit ? try request(for: read) : nil
  }
}

/// A body as a JSON document.
public struct EarthquakesDecoder: PayloadDecoder {
  /// Parses a body; nothing found may come without one.
  public func decode(_ response: HTTPResponse) throws -> JSONDocument {
    if response.status == 204 { return try JSONDocument(#"{"features":[]}"#) }
    return try JSONDocument(parsing: response.body)
  }
}

/// From the features of a page to rows.
public struct EarthquakesMapper: RowMapper {
  /// The schema of the rows.
  public let schema = Schema(EarthquakesProvider.columns)
  let limit: Int

  /// Appends a row per feature.
  public func map(_ page: JSONDocument, of first: Int, into rows: inout BatchBuilder) throws {
    guard let features = page.root["features"], features.kind == .array else {
      throw AggregateError(
        .badData, "the answer has no list “features”", hint: "is “base_url” the USGS's catalogue?")
    }
    for feature in features.elements.prefix(limit) {
      guard let id = feature["id"]?.string, let event = feature["properties"] else {
        throw AggregateError(.badData, "an event has no “id”: \(feature.rawText.prefix(80))")
      }
      let point = feature["geometry"]?["coordinates"]
      let (micros, overflow) = (event["time"]?.int64 ?? .max).multipliedReportingOverflow(by: 1000)
      rows.append(id)
      rows.append(overflow ? nil : Instant(microseconds: micros))
      rows.append(number: event["mag"]?.numberText)
      rows.append(event["magType"]?.string)
      rows.append(event["place"]?.string)
      rows.append(number: point?[1]?.numberText)
      rows.append(number: point?[0]?.numberText)
      rows.append(number: point?[2]?.numberText)
      rows.append(event["url"]?.string)
      rows.append(event["felt"]?.int64)
      rows.append(event["tsunami"]?.int64.map { $0 != 0 })
      rows.append(event["status"]?.string)
      rows.append(event["type"]?.string)
      rows.endRow()
    }
  }
}
