internal import Synchronization

/// Lets requests that are made side by side start in the order of their turns.
///
/// Only the start is in order: a turn begins as soon as the one before it has begun, not ended.
public final class StartOrder: Sendable {
  private struct State {
    var made = 0
    /// How many turns from the first one on have begun.
    var begun = 0
    var ahead: Set<Int> = []
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  /// Creates an order without turns.
  public init() {}

  /// The next turn. Every turn must begin some time, or those behind it never do.
  public func next() -> Turn {
    state.withLock { state in
      defer { state.made += 1 }
      return Turn(order: self, number: state.made)
    }
  }

  /// One turn.
  public struct Turn: Sendable {
    fileprivate let order: StartOrder
    fileprivate let number: Int

    /// Waits until all turns before this one have begun, or the task is cancelled.
    public func wait() async { await order.wait(number) }

    /// Notes that this turn has begun; may be called again.
    public func begin() { order.begin(number) }
  }

  private func wait(_ turn: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if state.cancelled.remove(turn) != nil || state.begun >= turn { return true }
          state.waiting[turn] = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
        if let waiting = state.waiting.removeValue(forKey: turn) { return waiting }
        state.cancelled.insert(turn)
        return nil
      }
      continuation?.resume()
    }
  }

  private func begin(_ turn: Int) {
    let due = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard turn >= state.begun else { return [] }
      state.ahead.insert(turn)
      var due: [CheckedContinuation<Void, Never>] = []
      while state.ahead.remove(state.begun) != nil {
        state.begun += 1
        if let waiting = state.waiting.removeValue(forKey: state.begun) { due.append(waiting) }
      }
      return due
    }
    for continuation in due { continuation.resume() }
  }
}

/// Sends the first request in its turn; the others whenever they come.
struct InTurnClient: HTTPClient {
  let inner: any HTTPClient
  let turn: StartOrder.Turn

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    await turn.wait()
    defer { turn.begin() }
    var request = request
    let onStart = request.onStart
    request.onStart = {
      turn.begin()
      onStart?()
    }
    return try await inner.send(request)
  }
}
