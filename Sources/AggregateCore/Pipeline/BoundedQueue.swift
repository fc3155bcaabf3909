import Synchronization

/// A queue between tasks: senders wait while it is full, receivers while it is empty.
///
/// Both sides are released when their task is cancelled. Continuations are resumed outside the lock.
public final class BoundedQueue<Element: Sendable>: Sendable {
  private typealias Waiter = (id: Int, continuation: CheckedContinuation<Void, Never>)

  private struct State {
    var elements: [Element] = []
    var isFinished = false
    var failure: (any Error)?
    var receivers: [Waiter] = []
    var senders: [Waiter] = []
    /// Waits that were cancelled before they began.
    var cancelled: Set<Int> = []
    var nextID = 0
  }

  /// Which side a task is on.
  private enum Side {
    case sender, receiver
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// Creates a queue that holds at most `capacity` elements, at least one.
  public init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Appends an element, waiting while the queue is full.
  ///
  /// - Throws: `CancellationError` when the task is cancelled or the queue was finished.
  public func send(_ element: Element) async throws {
    while true {
      try Task.checkCancellation()
      let (isDone, receivers) = try state.withLock { state -> (Bool, [Waiter]) in
        if state.isFinished { throw CancellationError() }
        guard state.elements.count < capacity else { return (false, []) }
        state.elements.append(element)
        defer { state.receivers = [] }
        return (true, state.receivers)
      }
      for waiter in receivers { waiter.continuation.resume() }
      if isDone { return }
      await wait(.sender)
    }
  }

  /// The next element, or nil after the last.
  ///
  /// - Throws: The error that the queue was finished with, after the elements before it;
  ///   `CancellationError` when the task is cancelled while it would have to wait.
  public func receive() async throws -> Element? {
    while true {
      let (element, isEnd, senders) = try state.withLock { state -> (Element?, Bool, [Waiter]) in
        if state.elements.isEmpty {
          if let failure = state.failure { throw failure }
          return (nil, state.isFinished, [])
        }
        defer { state.senders = [] }
        return (state.elements.removeFirst(), false, state.senders)
      }
      for waiter in senders { waiter.continuation.resume() }
      if element != nil || isEnd { return element }
      try Task.checkCancellation()
      await wait(.receiver)
    }
  }

  /// Whether an element can be received without waiting.
  public var hasElements: Bool { state.withLock { !$0.elements.isEmpty } }

  /// Ends the queue: the receiver gets what is in it, then nil or the error; senders are refused.
  public func finish(throwing error: (any Error)? = nil) {
    let waiters = state.withLock { state -> [Waiter] in
      guard !state.isFinished else { return [] }
      state.isFinished = true
      state.failure = error
      defer {
        state.receivers = []
        state.senders = []
      }
      return state.receivers + state.senders
    }
    for waiter in waiters { waiter.continuation.resume() }
  }

  /// Waits until there may be something to do for a side; the caller looks again.
  private func wait(_ side: Side) async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          if state.cancelled.remove(id) != nil || state.isFinished { return false }
          switch side {
          case .sender:
            guard state.elements.count >= capacity else { return false }
            state.senders.append((id, continuation))
          case .receiver:
            guard state.elements.isEmpty else { return false }
            state.receivers.append((id, continuation))
          }
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      release(id)
    }
    state.withLock { _ = $0.cancelled.remove(id) }
  }

  private func release(_ id: Int) {
    let waiter = state.withLock { state -> Waiter? in
      if let index = state.receivers.firstIndex(where: { $0.id == id }) {
        return state.receivers.remove(at: index)
      }
      if let index = state.senders.firstIndex(where: { $0.id == id }) {
        return state.senders.remove(at: index)
      }
      state.cancelled.insert(id)
      return nil
    }
    waiter?.continuation.resume()
  }
}
