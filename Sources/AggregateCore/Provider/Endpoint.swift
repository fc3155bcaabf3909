/// From options to requests: what is asked, in which parts, how to page.
public protocol Endpoint: Sendable {
  /// A part of the source that can be read on its own, beside others: a place, a feed, one document.
  associatedtype Partition: Sendable
  /// What the decoder makes of a body.
  associatedtype Payload: Sendable

  /// Yields the partitions, in the order of their rows. May ask the service to find them.
  func partitions(
    _ context: ProviderContext, yield: (Partition) async throws -> Void
  ) async throws

  /// The first request of a partition.
  func request(for partition: Partition) throws -> HTTPRequest

  /// The request for the page after `page`; nil when that was the last.
  func request(after page: Page<Partition, Payload>) throws -> HTTPRequest?

  /// What tells a partition from the others of an incremental source, which has a cursor for each.
  func name(of partition: Partition) -> String

  /// Says more about a failure of a partition: which one it was, what would be valid.
  func explain(
    _ error: AggregateError, of partition: Partition, _ context: ProviderContext
  ) async -> AggregateError
}

extension Endpoint {
  /// Nothing: all share one cursor.
  public func name(of partition: Partition) -> String { "" }

  /// The error as it is.
  public func explain(
    _ error: AggregateError, of partition: Partition, _ context: ProviderContext
  ) async -> AggregateError {
    error
  }
}

/// One page as it was read.
public struct Page<Partition: Sendable, Payload: Sendable>: Sendable {
  /// The partition it belongs to.
  public let partition: Partition
  /// The number of the page within the partition, from 0.
  public let index: Int
  /// What was asked.
  public let request: HTTPRequest
  /// What was answered.
  public let response: HTTPResponse
  /// What the decoder made of it.
  public let payload: Payload
  /// How many rows the mapper made of it.
  public let rowCount: Int
  /// How many rows the earlier pages of the partition had.
  public let rowsBefore: Int
}

/// From a body to a typed payload.
public protocol PayloadDecoder: Sendable {
  /// What it makes.
  associatedtype Payload: Sendable

  /// Decodes a body.
  ///
  /// - Throws: ``AggregateError`` with code `badData` (not what was expected) or `rejected` (an error
  ///   that the service put into a good answer).
  func decode(_ response: HTTPResponse) throws -> Payload
}

/// From a payload to rows of a schema that is known before any request.
public protocol RowMapper: Sendable {
  /// The part of the source that the rows come from.
  associatedtype Partition: Sendable
  /// What it maps.
  associatedtype Payload: Sendable

  /// The schema of the rows.
  var schema: Schema { get }

  /// Appends the rows of `payload`.
  func map(
    _ payload: Payload, of partition: Partition, into rows: inout BatchBuilder
  ) throws
}

/// A provider made of an endpoint, a decoder and a row mapper, each replaceable on its own.
public protocol EndpointProvider: Provider {
  /// From options to requests.
  associatedtype SourceEndpoint: Endpoint
  /// From a body to a payload.
  associatedtype Decoder: PayloadDecoder where Decoder.Payload == SourceEndpoint.Payload
  /// From a payload to rows.
  associatedtype Mapper: RowMapper
  where Mapper.Payload == SourceEndpoint.Payload, Mapper.Partition == SourceEndpoint.Partition

  /// The endpoint.
  var endpoint: SourceEndpoint { get }
  /// The decoder.
  var decoder: Decoder { get }
  /// The row mapper.
  var mapper: Mapper { get }
}

extension EndpointProvider {
  /// The mapper's schema.
  public var schema: Schema? { mapper.schema }

  /// Reads the partitions, several at a time, and emits their rows in order.
  public func rows(_ context: ProviderContext) async throws {
    try await OrderedPartitions.run(
      context, name: { endpoint.name(of: $0) },
      produce: { yield in try await endpoint.partitions(context, yield: yield) },
      read: { partition, context in
        do {
          try await read(partition, context)
        } catch let error as AggregateError {
          throw await endpoint.explain(error, of: partition, context)
        }
      })
  }

  private func read(
    _ partition: SourceEndpoint.Partition, _ context: ProviderContext
  ) async throws {
    var next: HTTPRequest? = try endpoint.request(for: partition)
    var index = 0
    var rowsBefore = 0
    var watch = PageGuard()
    while let request = next {
      let response = try await context.http.send(request)
      let payload = try decoder.decode(response)
      var rows = BatchBuilder(schema: mapper.schema)
      try mapper.map(payload, of: partition, into: &rows)
      let batch = rows.finish()
      if index > 0, try watch.take(batch, of: response) == .repeatsLast {
        context.log.warn(
          "\(context.source): page \(index + 1) repeats the page before it; taken for the end")
        return
      }
      let page = Page(
        partition: partition, index: index, request: request, response: response,
        payload: payload, rowCount: batch.rowCount, rowsBefore: rowsBefore)
      if batch.rowCount > 0 { try await context.emit(batch, from: WorkOrigin(response)) }
      next = try endpoint.request(after: page)
      // Of a partition with one page, as most are, no page need be remembered.
      if index == 0, next != nil { _ = try watch.take(batch, of: response) }
      index += 1
      rowsBefore += batch.rowCount
      if next != nil, let limit = context.maxPages, index >= limit {
        return context.noteMaxPages(index)
      }
    }
  }
}
