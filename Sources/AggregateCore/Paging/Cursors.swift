/// What of an incremental source is asked for at once: all that is new, or a stretch of the time since then.
public struct Window: Sendable, Hashable {
  /// The number of the window in its part, from 0.
  public let index: Int
  /// Where it begins, written as the service wants it; nil for everything there is.
  public let since: String?
  /// Where it ends; nil for no end.
  public let until: String?
  /// The query items that say so, by the declared names.
  public let query: [HTTPField]

  /// Creates a window.
  public init(index: Int, since: String?, until: String?, query: [HTTPField] = []) {
    self.index = index
    self.since = since
    self.until = until
    self.query = query
  }
}

/// The cursors of an incremental source, for whoever reads it.
///
/// For each part: ask for its windows one after the other, and say when it was read to its end. Nothing moves
/// before the whole run succeeded.
public protocol Cursors: Sendable {
  /// The window after `window` of a part, or the first one; nil after the last.
  func window(after window: Window?, of part: String) throws -> Window?

  /// Notes that a part was read to its end.
  func finish(_ part: String)

  /// Notes that rows of a part were left out: its cursor stays where it is, even if it is finished.
  func leave(_ part: String)

  /// Notes that rows of any part were left out: all cursors stay where they are.
  func leaveAll()
}
