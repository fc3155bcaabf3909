internal import Synchronization

/// How many requests may be under way at once; who comes first is served first.
public final class RequestSlots: Sendable {
  private struct State {
    var free: Int
    var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    var nextID = 0
  }

  private let state: Mutex<State>

  /// Creates slots for `count` requests, at least one.
  public init(_ count: Int) { state = Mutex(State(free: max(1, count))) }

  /// Runs `body` in a slot, waiting for one to become free.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits; what `body` throws.
  public func run<R: Sendable>(_ body: () async throws -> R) async throws -> R {
    try await acquire()
    defer { release() }
    return try await body()
  }

  /// How many requests wait for a slot.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  private func acquire() async throws {
    try Task.checkCancellation()
    let id = state.withLock { state -> Int? in
      if state.free > 0 {
        state.free -= 1
        return nil
      }
      state.nextID += 1
      return state.nextID
    }
    guard let id else { return }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.free > 0 {
            state.free -= 1
            return .success(())
          }
          state.waiting.append((id, continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).continuation }
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  private func release() {
    let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume()
  }
}
