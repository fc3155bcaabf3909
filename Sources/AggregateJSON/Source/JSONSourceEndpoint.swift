public import AggregateCore

/// The requests of a ``JSONSource``.
public struct JSONSourceEndpoint: Endpoint {
  let source: JSONSource

  /// The parts, unless nothing is wanted.
  public func parts(
    _ context: ProviderContext, yield: (JSONPart) async throws -> Void
  ) async throws {
    // What is left out would be behind the cursor.
    if source.limit < .max { context.leaveCursors() }
    guard source.limit > 0 else { return }
    for part in source.parts { try await yield(part) }
  }

  /// The request for a part, without its pages.
  public func request(for part: JSONPart) throws -> HTTPRequest {
    try part.request(key: source.key)
  }

  /// The paging of the source.
  public func paging(of part: JSONPart) -> Paging<JSONDocument> { source.paging }

  /// The part's own name.
  public func name(of part: JSONPart) -> String { part.name }

  /// Names the part that failed.
  public func explain(
    _ error: AggregateError, of part: JSONPart, _ context: ProviderContext
  ) async -> AggregateError {
    let name = part.name
    guard !name.isEmpty, !error.message.contains("“\(name)”") else { return error }
    var error = error
    error.message = "“\(name)”: \(error.message)"
    return error
  }
}
