public import AggregateCore

/// A source whose rows are the elements of a list in JSON answers, declared as data.
public struct JSONSource: Sendable {
  /// The columns, and where their values stand in a record.
  public let fields: [JSONField]
  /// The keys, joined with dots, that lead to the list of records; empty for the answer itself.
  public let records: String
  /// What is asked, in the order of the rows.
  public let parts: [JSONPart]
  /// How each part is read page by page.
  public let paging: Paging<JSONDocument>
  /// The most rows of each part.
  public let limit: Int
  /// The key without which nothing can be asked; nil when there is none.
  public let key: JSONKey?

  /// Creates a source.
  ///
  /// - Parameter key: Sent with every request; a run without it is refused before anything is sent.
  public init(
    _ fields: [JSONField], records: String = "", parts: [JSONPart],
    paging: Paging<JSONDocument> = .single,
    limit: Int = .max, key: JSONKey? = nil
  ) {
    self.fields = fields
    self.records = records
    self.parts = parts
    var paging = paging
    paging.count = Paging.count(records)
    paging.limit = limit
    paging.recordsDiffer = true
    self.paging = paging
    self.limit = limit
    self.key = key
  }
}

/// A provider that is one ``JSONSource``: beside its spec and `init` it declares nothing.
public protocol JSONProvider: EndpointProvider
where SourceEndpoint == JSONSourceEndpoint, Decoder == JSONBodyDecoder, Mapper == JSONRecordMapper {
  /// What is asked, and what becomes columns.
  var source: JSONSource { get }
}

extension JSONProvider {
  /// The endpoint of the source.
  public var endpoint: JSONSourceEndpoint { JSONSourceEndpoint(source: source) }

  /// Bodies as documents.
  public var decoder: JSONBodyDecoder { JSONBodyDecoder() }

  /// Records as rows.
  public var mapper: JSONRecordMapper { JSONRecordMapper(source) }

  /// The provider with where its losses are told.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when the service wants a key, and there is none.
  public func bound(to context: ProviderContext) throws -> Self {
    try source.key?.key.require(context)
    return self
  }

  /// The first request of every part.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    guard source.limit > 0 else { return [] }
    return try source.parts.map { try endpoint.firstRequest(for: $0) }
  }

  /// Its paging and its parts.
  public var plan: ProviderPlan {
    var plan = ProviderPlan()
    plan.paging = source.paging.plan
    if source.parts.count != 1 {
      plan.keys = [ProviderPlan.Key(name: "parts", origin: .list, count: source.parts.count)]
    }
    plan.knowsPartitions = true
    return plan
  }
}
