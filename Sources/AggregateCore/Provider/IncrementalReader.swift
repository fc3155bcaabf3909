/// What an incremental source asks for at once: all that is new, or a part of the time since then.
public struct IncrementalWindow: Sendable, Hashable {
  /// The number of the window in its partition, from 0.
  public let index: Int
  /// Where it begins, written as the service wants it; nil for everything there is.
  public let since: String?
  /// Where it ends; nil for no end.
  public let until: String?
  /// The query items that say so, by the declared names.
  public let query: [(name: String, value: String)]

  /// Creates a window.
  public init(index: Int, since: String?, until: String?, query: [(name: String, value: String)]) {
    self.index = index
    self.since = since
    self.until = until
    self.query = query
  }

  /// Two windows are equal when they ask for the same.
  public static func == (lhs: IncrementalWindow, rhs: IncrementalWindow) -> Bool {
    lhs.index == rhs.index && lhs.since == rhs.since && lhs.until == rhs.until
      && lhs.query.elementsEqual(rhs.query) { $0 == $1 }
  }

  /// Hashes what tells windows apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(index)
    hasher.combine(since)
    hasher.combine(until)
  }
}

/// The cursors of an incremental source, for its provider.
///
/// For each partition: ask for its windows one after the other, let its rows through ``admit(_:of:in:)``
/// in order, and say when it was read to its end. Nothing moves before the whole run succeeded.
public protocol IncrementalReader: Sendable {
  /// The window after `window` of a partition, or the first one; nil after the last.
  func window(after window: IncrementalWindow?, of partition: String) throws -> IncrementalWindow?

  /// The rows of `batch` that were not given before; their cursors are noted.
  ///
  /// - Throws: ``DiagnosticsError`` when there is no such column.
  func admit(_ batch: Batch, of partition: String, in window: IncrementalWindow) throws -> Batch

  /// Notes that a partition was read to its end.
  func finish(_ partition: String)

  /// Notes that rows of a partition were left out: its cursor stays where it is, even if it is finished.
  func leave(_ partition: String)

  /// Notes that rows of any partition were left out: all cursors stay where they are.
  func leaveAll()
}
