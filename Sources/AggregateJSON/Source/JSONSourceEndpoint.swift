public import AggregateCore
internal import Synchronization

/// The requests of a ``JSONSource``.
public struct JSONSourceEndpoint: Endpoint {
  /// A part while it is read.
  public final class Part: Sendable {
    let part: JSONPart
    let log: RunLog
    private let left: Mutex<Int>

    init(_ part: JSONPart, _ log: RunLog, limit: Int) {
      self.part = part
      self.log = log
      left = Mutex(limit)
    }

    /// How many of `count` records may still become rows.
    func take(_ count: Int) -> Int {
      left.withLock { left in
        let taken = min(count, left)
        left -= taken
        return taken
      }
    }
  }

  let source: JSONSource

  /// The parts, unless nothing is wanted.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when the service wants a key, and there is none.
  public func partitions(
    _ context: ProviderContext, yield: (Part) async throws -> Void
  ) async throws {
    // What is left out would be behind the cursor.
    if source.limit < .max { context.leaveCursors() }
    guard source.limit > 0 else { return }
    try source.key?.key.require(context)
    for part in source.parts {
      try await yield(Part(part, context.log, limit: source.limit))
    }
  }

  /// The first page of a part.
  public func request(for part: Part) throws -> HTTPRequest { try first(of: part.part) }

  func first(of part: JSONPart) throws -> HTTPRequest {
    var request = try part.request(key: source.key)
    source.paging.begin(&request.url, limit: source.limit)
    return request
  }

  /// The next page of a part.
  ///
  /// - Throws: ``AggregateError`` with code `pagination` when it is at another host.
  public func request(after page: Page<Part, JSONDocument?>) throws -> HTTPRequest? {
    guard let url = source.paging.next(after: page, limit: source.limit), url != page.request.url
    else {
      if let total = source.paging.missing(after: page, limit: source.limit) {
        let name = page.partition.part.name
        page.partition.log.warn(
          (name.isEmpty ? "" : "“\(name)”: ")
            + "the service says that there are \(total) records, and gave "
            + "\(page.rowsBefore + page.rowCount)")
      }
      return nil
    }
    guard url.hasOrigin(of: page.request.url) else {
      throw AggregateError(
        .pagination, "the next page is at another host: \(url)",
        hint: "credentials are never sent there")
    }
    return try page.partition.part.request(url, key: source.key)
  }

  /// The part's own name.
  public func name(of part: Part) -> String { part.part.name }

  /// Names the part that failed.
  public func explain(
    _ error: AggregateError, of part: Part, _ context: ProviderContext
  ) async -> AggregateError {
    let name = part.part.name
    guard !name.isEmpty, !error.message.contains("“\(name)”") else { return error }
    var error = error
    error.message = "“\(name)”: \(error.message)"
    return error
  }
}
