/// A queue between two tasks: the sender waits while it is full, the receiver while it is empty.
///
/// Both sides are released when their task is cancelled.
public actor BoundedQueue<Element: Sendable> {
  private let capacity: Int
  private var elements: [Element] = []
  private var isFinished = false
  private var failure: (any Error)?
  private var receivers: [Int: CheckedContinuation<Void, Never>] = [:]
  private var senders: [(id: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var nextID = 0

  /// Creates a queue that holds at most `capacity` elements, at least one.
  public init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Appends an element, waiting while the queue is full.
  ///
  /// - Throws: `CancellationError` when the task is cancelled or the receiver closed the queue.
  public func send(_ element: Element) async throws {
    while elements.count >= capacity && !isFinished {
      try Task.checkCancellation()
      await wait(as: .sender)
    }
    try Task.checkCancellation()
    if isFinished { throw CancellationError() }
    elements.append(element)
    wakeReceivers()
  }

  /// The next element, or nil after the last.
  ///
  /// - Throws: The error the sender finished with, after the elements before it.
  public func receive() async throws -> Element? {
    while elements.isEmpty {
      if let failure { throw failure }
      if isFinished { return nil }
      try Task.checkCancellation()
      await wait(as: .receiver)
    }
    let element = elements.removeFirst()
    wakeSenders()
    return element
  }

  /// Whether an element can be received without waiting.
  public var hasElements: Bool { !elements.isEmpty }

  /// Ends the queue: the receiver gets what is in it, then nil or the error.
  public func finish(throwing error: (any Error)? = nil) {
    guard !isFinished else { return }
    isFinished = true
    failure = error
    wakeReceivers()
    wakeSenders()
  }

  private enum Side {
    case sender, receiver
  }

  private func wait(as side: Side) async {
    let id = nextID
    nextID += 1
    await withTaskCancellationHandler {
      // The isolation is given: by default it is lost in a closure that does not capture the actor,
      // and the continuation would be registered beside the actor's own work.
      await withCheckedContinuation(isolation: self) { continuation in
        if Task.isCancelled {
          continuation.resume()
        } else if side == .sender {
          senders.append((id, continuation))
        } else {
          receivers[id] = continuation
        }
      }
    } onCancel: {
      Task { await self.release(id) }
    }
  }

  private func release(_ id: Int) {
    receivers.removeValue(forKey: id)?.resume()
    if let index = senders.firstIndex(where: { $0.id == id }) {
      senders.remove(at: index).continuation.resume()
    }
  }

  private func wakeReceivers() {
    let waiting = receivers
    receivers = [:]
    for continuation in waiting.values { continuation.resume() }
  }

  private func wakeSenders() {
    let waiting = senders
    senders = []
    for sender in waiting { sender.continuation.resume() }
  }
}
