internal import AggregateCore

/// What is still to be written to the cache, in order.
struct CacheBacklog {
  /// How long answers may wait for others to be written with them, in milliseconds.
  static let delay = 50
  /// From how many bytes of bodies on they are written at once.
  static let batch = 1_000_000
  /// How many bytes of bodies may wait; whoever adds more writes them.
  static let most = 8_000_000

  /// What a new change asks for.
  enum Step {
    case nothing
    /// To write soon.
    case later
    /// To write beside whoever added it.
    case now
    /// To write before anything else.
    case yourself
  }

  private(set) var changes: [(key: String, change: CacheDatabase.Change)] = []
  private var bytes = 0
  /// How many changes of a key wait or are being written.
  private var keys: [String: Int] = [:]
  private var isScheduled = false
  private var isUrgent = false
  /// What went wrong while it was written, until somebody is told.
  var failure: (any Error)?

  var isEmpty: Bool { keys.isEmpty }

  func holds(_ key: String) -> Bool { keys[key] != nil }

  func holds(target: String) -> Bool { keys.keys.contains { $0.hasPrefix(target) } }

  mutating func add(_ change: CacheDatabase.Change, _ key: String) -> Step {
    changes.append((key, change))
    keys[key, default: 0] += 1
    bytes += change.size
    if bytes > Self.most { return .yourself }
    if bytes > Self.batch && !isUrgent {
      isUrgent = true
      return .now
    }
    defer { isScheduled = true }
    return isScheduled ? .nothing : .later
  }

  /// Hands out what waits; it counts as waiting until it is ``done(_:)``.
  mutating func take() -> [(key: String, change: CacheDatabase.Change)] {
    defer {
      changes = []
      bytes = 0
      isScheduled = false
      isUrgent = false
    }
    return changes
  }

  mutating func done(_ changes: [(key: String, change: CacheDatabase.Change)]) {
    for (key, _) in changes {
      let left = (keys[key] ?? 1) - 1
      keys[key] = left > 0 ? left : nil
    }
  }
}
