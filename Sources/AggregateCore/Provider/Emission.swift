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
