/// Rows on their way out of a provider, and where they came from.
public struct Emission: Sendable {
  /// The rows.
  public let work: Work
  /// The answer that they came from.
  public let origin: WorkOrigin?
  /// The partition that they belong to; empty where there is but one.
  public let part: String

  /// Creates an emission.
  public init(_ work: Work, from origin: WorkOrigin? = nil, of part: String = "") {
    self.work = work
    self.origin = origin
    self.part = part
  }

  /// Other rows that came from the same place.
  public func of(_ work: Work) -> Emission { Emission(work, from: origin, of: part) }
}

/// Rows that are handed on, and how their sender learns that they were taken; nil where it need not wait.
struct Handover: Sendable {
  let emission: Emission
  let taken: BoundedQueue<Void>?

  /// Puts rows into `queue`, and waits until they were taken where that is asked for.
  ///
  /// - Throws: `CancellationError` when no more rows are wanted.
  static func send(
    _ emission: Emission, to queue: BoundedQueue<Handover>, waits: Bool
  ) async throws {
    let taken = waits ? BoundedQueue<Void>(capacity: 1) : nil
    try await queue.send(Handover(emission: emission, taken: taken))
    guard let taken else { return }
    _ = try await taken.receive()
    try Task.checkCancellation()
  }
}
