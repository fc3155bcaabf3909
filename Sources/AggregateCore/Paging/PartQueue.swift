import Synchronization

/// Parts that wait for one of several readers, in order, and how many are under way.
///
/// A part is under way from when a reader takes it until ``noteEnd()``, which comes in the order of the parts:
/// at most `atOnce` of them are. While the first of them is still being read the others go on, up to
/// `ahead` more, so that a slow one holds none of them up.
final class PartQueue: Sendable {
  /// Reads the part, whatever comes of it.
  typealias Part = @Sendable () async -> Void

  private struct State {
    var waiting: [Part] = []
    /// How many parts were put in, taken by readers, and are no longer under way.
    var put = 0
    var taken = 0
    var ended = 0
    /// Which of those under way were read.
    var read: Set<Int> = []
    var isFinished = false
    var isCancelled = false
    /// Readers without a part; none while one may be taken.
    var idle: [CheckedContinuation<Part?, Never>] = []
    /// Who has a part for which there is no room; one at most.
    var producer: CheckedContinuation<Void, Never>?

    var underWay: Int { taken - ended }
  }

  private let atOnce: Int
  private let ahead: Int
  private let state = Mutex(State())

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - atOnce: How many parts may be under way, at least one.
  ///   - ahead: How many may wait beside them, or be under way behind a slow one.
  init(atOnce: Int, ahead: Int) {
    self.atOnce = max(1, atOnce)
    self.ahead = ahead
  }

  /// Appends a part, waiting until there is room for it; one task may do so.
  ///
  /// - Throws: `CancellationError` when the queue was cancelled.
  func put(_ part: @escaping Part) async throws {
    while true {
      let isDone = try state.withLock { state in
        if state.isCancelled { throw CancellationError() }
        guard state.underWay + state.waiting.count < atOnce + ahead else { return false }
        let number = state.put
        state.put += 1
        state.waiting.append { [self] in
          await part()
          noteRead(number)
        }
        return true
      }
      if isDone { return handOut() }
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          let isFull = state.underWay + state.waiting.count >= atOnce + ahead
          guard isFull, !state.isCancelled else { return false }
          state.producer = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    }
  }

  /// The next part, for a reader that has none; nil when there will be no more.
  func next() async -> Part? {
    let part = state.withLock { state -> Part? in
      guard !state.waiting.isEmpty, mayTake(state) else { return nil }
      state.taken += 1
      return state.waiting.removeFirst()
    }
    if let part { return part }
    return await withCheckedContinuation { continuation in
      state.withLock { $0.idle.append(continuation) }
      handOut()
    }
  }

  /// Notes that a part which was under way is so no longer.
  func noteEnd() {
    state.withLock { state in
      state.read.remove(state.ended)
      state.ended += 1
    }
    handOut()
  }

  private func noteRead(_ number: Int) {
    state.withLock { if number >= $0.ended { $0.read.insert(number) } }
  }

  /// Whether another part may be under way.
  private func mayTake(_ state: borrowing State) -> Bool {
    state.underWay < (state.read.contains(state.ended) ? atOnce : atOnce + ahead)
  }

  /// Tells that no part will come any more; those that wait are still read.
  func finish() {
    state.withLock { $0.isFinished = true }
    handOut()
  }

  /// Drops the parts that wait and lets go whoever waits for the queue.
  func cancel() {
    state.withLock { state in
      state.isFinished = true
      state.isCancelled = true
      state.waiting = []
    }
    handOut()
  }

  /// Gives parts to readers, and lets the producer go on when half of the room ahead is free.
  private func handOut() {
    let (handed, producer) = state.withLock { state in
      var handed: [(CheckedContinuation<Part?, Never>, Part?)] = []
      var taken = 0
      while taken < state.waiting.count, mayTake(state), let reader = state.idle.popLast() {
        handed.append((reader, state.waiting[taken]))
        taken += 1
        state.taken += 1
      }
      state.waiting.removeFirst(taken)
      if state.isFinished, state.waiting.isEmpty {
        handed += state.idle.map { ($0, nil) }
        state.idle = []
      }
      var producer: CheckedContinuation<Void, Never>?
      let room = atOnce + ahead - state.underWay - state.waiting.count
      if state.isCancelled || room > ahead / 2 { swap(&producer, &state.producer) }
      return (handed, producer)
    }
    for (reader, part) in handed { reader.resume(returning: part) }
    producer?.resume()
  }
}
