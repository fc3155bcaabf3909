/// A compiled-in module that knows one kind of source.
///
/// Most providers are an ``EndpointProvider``: an endpoint, a decoder and a row mapper. One whose
/// rows do not come over HTTP implements ``rows(_:)`` itself.
public protocol Provider: Sendable {
  /// Name, options, columns, example and samples.
  static var spec: ProviderSpec { get }

  /// Creates a provider from options that were checked against the spec.
  ///
  /// Further mistakes go to `diagnostics`. Nothing is read or requested here.
  init(_ options: Options, _ diagnostics: inout Diagnostics)

  /// The columns of its rows, known before any request; nil when only the data can tell.
  var schema: Schema? { get }

  /// Reads the source and emits its rows, in an order that does not depend on `context.jobs`.
  ///
  /// Whoever wants no more rows cancels the task: `emit` then throws `CancellationError`.
  func rows(_ context: ProviderContext) async throws

  /// Other declared sources whose rows it reads, as they were named.
  var sourceReferences: [LocatedText] { get }

  /// Whether it reads an incremental source window by window itself; else its rows are filtered.
  var readsIncrementally: Bool { get }

  /// The first requests of a run as far as they are known without asking, for `aggregate plan`.
  func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest]

  /// How it pages, divides and authenticates, for `aggregate plan`.
  var plan: ProviderPlan { get }
}

extension Provider {
  /// None.
  public var sourceReferences: [LocatedText] { [] }

  /// It does not.
  public var readsIncrementally: Bool { false }

  /// None.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] { [] }

  /// Nothing is known.
  public var plan: ProviderPlan { ProviderPlan() }
}
