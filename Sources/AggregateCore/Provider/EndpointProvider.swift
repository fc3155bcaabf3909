/// From a body to a typed payload.
public protocol PayloadDecoder: Sendable {
  /// What it makes.
  associatedtype Payload: Sendable

  /// What a body is expected to be.
  var expected: BodyKind { get }

  /// Decodes a body that is not empty.
  ///
  /// - Throws: ``AggregateError`` with code `badData` (not what was expected) or `rejected` (an error
  ///   that the service put into a good answer).
  func decode(_ response: HTTPResponse) async throws -> Payload
}

extension PayloadDecoder {
  /// Whatever the decoder makes of it.
  public var expected: BodyKind { .any }
}

/// From a payload to rows.
public protocol PageMapper: Sendable {
  /// The part of the source that the rows come from.
  associatedtype Part: Sendable
  /// What it maps.
  associatedtype Payload: Sendable

  /// The schema of the rows; nil when the data decide.
  var knownSchema: Schema? { get }

  /// The rows of a page.
  ///
  /// - Parameters:
  ///   - found: The columns that were found so far, where the data decide.
  ///   - log: Where values are told that were lost.
  func rows(of page: Page<Part, Payload>, found: Schema?, log: RunLog) throws -> [Batch]

  /// A hash of the records as they were sent.
  func recordHash(of page: Page<Part, Payload>) -> Int

  /// Adds the fields of the records of a page to the columns that were found.
  func find(in payload: Payload, _ columns: inout FoundColumns)

  /// The schema of columns that were found.
  func schema(of columns: FoundColumns) -> Schema

  /// From how many records on the columns are known, where the data decide.
  ///
  /// - Parameter rowLimit: The most rows that are wanted, where that is known.
  func sampleSize(rowLimit: Int?) -> Int
}

extension PageMapper {
  /// A hash of the whole body.
  public func recordHash(of page: Page<Part, Payload>) -> Int { page.bodyHash }

  /// None: the columns are known.
  public func find(in payload: Payload, _ columns: inout FoundColumns) {}

  /// The schema that is known.
  public func schema(of columns: FoundColumns) -> Schema { knownSchema ?? Schema(columns.specs) }

  /// One is enough.
  public func sampleSize(rowLimit: Int?) -> Int { 1 }
}

/// From a payload to rows of a schema that is known before any request.
public protocol RowMapper: PageMapper {
  // Said again, so that they are known by ``map(_:of:into:)``.
  associatedtype Part
  associatedtype Payload

  /// The schema of the rows.
  var schema: Schema { get }

  /// Appends the rows of `payload`.
  func map(_ payload: Payload, of part: Part, into rows: inout BatchBuilder) throws
}

extension RowMapper {
  /// The schema of the rows.
  public var knownSchema: Schema? { schema }

  /// The rows of a page, as one batch.
  public func rows(
    of page: Page<Part, Payload>, found: Schema?, log: RunLog
  ) throws -> [Batch] {
    var rows = BatchBuilder(schema: schema)
    try map(page.payload, of: page.part, into: &rows)
    return [rows.finish()]
  }
}

/// A provider made of an endpoint, a decoder and a row mapper, each replaceable on its own.
public protocol EndpointProvider: Provider {
  /// From options to requests.
  associatedtype SourceEndpoint: Endpoint
  /// From a body to a payload.
  associatedtype Decoder: PayloadDecoder where Decoder.Payload == SourceEndpoint.Payload
  /// From a payload to rows.
  associatedtype Mapper: PageMapper
  where Mapper.Payload == SourceEndpoint.Payload, Mapper.Part == SourceEndpoint.Part

  /// The endpoint.
  var endpoint: SourceEndpoint { get }
  /// The decoder.
  var decoder: Decoder { get }
  /// The row mapper.
  var mapper: Mapper { get }

  /// The provider for one run: with credentials that are fetched, with its log.
  ///
  /// - Throws: ``AggregateError`` when it can't be run as it is, such as without a key.
  func bound(to context: ProviderContext) throws -> Self

  /// The longest time for an answer while another service can stand in.
  var patience: Duration { get }
}

extension EndpointProvider {
  /// The mapper's schema.
  public var schema: Schema? { mapper.knownSchema }

  /// The provider as it is.
  public func bound(to context: ProviderContext) throws -> Self { self }

  /// Twenty seconds.
  public var patience: Duration { .seconds(20) }

  /// Reads the parts, several at a time, and emits their rows in order.
  public func rows(_ context: ProviderContext) async throws {
    do {
      try await SourceReader(bound(to: context), context).run()
    } catch let error as AggregateError {
      throw error.of(source: context.source)
    }
  }
}
