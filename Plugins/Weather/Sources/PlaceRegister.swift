import AggregateCore
import Synchronization

/// The places of a run as they were found, so that none is read twice under two names.
///
/// Places are looked up side by side; each waits for those declared before it, so that the first one
/// stays, whichever is found first.
final class PlaceRegister: Sendable {
  /// What a place is, by those before it.
  enum Finding: Sendable, Equatable {
    case new
    /// An earlier one.
    case same(Location)
    /// Another place that rows call as they call this one.
    case namesake(Location)
  }

  private struct Entry {
    var location: Location
    var isLookedUp: Bool
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var isSettled: [Bool]
    /// How many from the first one on are settled.
    var settled = 0
    var waiting: [Int: (index: Int, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var lastWait = 0
  }

  private let state: Mutex<State>

  /// Creates a register of so many places.
  init(count: Int) {
    state = Mutex(State(isSettled: Array(repeating: false, count: count)))
  }

  /// Enters the place with this index once those before it are known.
  ///
  /// - Throws: `CancellationError`.
  func enter(_ index: Int, _ location: Location, isLookedUp: Bool) async throws -> Finding {
    try await waitForThose(before: index)
    let finding = state.withLock { state -> Finding in
      let entry = Entry(location: location, isLookedUp: isLookedUp)
      let earlier = state.entries.filter { $0.key < index }.sorted { $0.key < $1.key }
      if let same = earlier.first(where: { Self.isSame(entry, $0.value) }) {
        return .same(same.value.location)
      }
      state.entries[index] = entry
      return earlier.first { location.isCalled(like: $0.value.location) }
        .map { .namesake($0.value.location) } ?? .new
    }
    settle(index)
    return finding
  }

  /// Has nobody wait for a place any longer, whether or not it was found.
  func settle(_ index: Int) {
    let due = state.withLock { state in
      state.isSettled[index] = true
      while state.settled < state.isSettled.count, state.isSettled[state.settled] {
        state.settled += 1
      }
      let settled = state.settled
      let due = state.waiting.filter { $0.value.index <= settled }
      for key in due.keys { state.waiting[key] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// Coordinates that are declared are meant as they are; those of a name differ from service to service.
  private static func isSame(_ one: Entry, _ other: Entry) -> Bool {
    let (one, other, isLookedUp) = (
      one.location, other.location, one.isLookedUp || other.isLookedUp
    )
    guard isLookedUp else { return one.isWithin(0, of: other) }
    let isLikely =
      one.name.lowercased() == other.name.lowercased()
      && (one.country == nil || other.country == nil || one.isCalled(like: other))
    return one.isWithin(isLikely ? 0.1 : 0.01, of: other)
  }

  private func waitForThose(before index: Int) async throws {
    let id = state.withLock { state in
      state.lastWait += 1
      return state.lastWait
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.settled >= index { return .success(()) }
          state.waiting[id] = (index, continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiting = state.withLock { $0.waiting.removeValue(forKey: id) }
      waiting?.continuation.resume(throwing: CancellationError())
    }
  }
}
