/// One page as it was read.
public struct Page<Part: Sendable, Payload: Sendable>: Sendable {
  /// The part it belongs to.
  public let part: Part
  /// The window of the time that it is of, when the source is incremental.
  public let window: Window?
  /// The number of the page within the part or the window, from 0.
  public let index: Int
  /// What was asked.
  public let request: HTTPRequest
  /// What was answered.
  public let response: HTTPResponse
  /// What the decoder made of it.
  public let payload: Payload
  /// How many rows the earlier pages had.
  public let rowsBefore: Int
  /// How many rows the mapper made of it; 0 while it is still to do so.
  public internal(set) var rowCount = 0

  /// A hash of the body as it was sent.
  public var bodyHash: Int {
    var hash = WordHash()
    response.body.withUnsafeBytes { hash.combine($0) }
    return Int(truncatingIfNeeded: hash.value)
  }
}
