import AggregateCore
import Dispatch
import Synchronization

/// One line on the terminal that says how far the sources are, rewritten a few times a second.
///
/// Made only when standard error is a terminal and the rows go elsewhere; every other line first
/// clears it.
final class ProgressLine: Sendable {
  private static let clear = "\r\u{1B}[K"
  private static let interval = DispatchTimeInterval.milliseconds(200)

  private struct State {
    var isShown = false
    var isStopped = false
  }

  private let state = Mutex(State())
  private let started = ContinuousClock.now
  private let queue = DispatchQueue(label: "progress")
  private let write: @Sendable (String) -> Void
  private let width: Int

  /// - Parameters:
  ///   - width: How many columns the terminal has.
  ///   - write: Writes to the terminal.
  init(width: Int, write: @escaping @Sendable (String) -> Void) {
    self.width = width
    self.write = write
  }

  /// Shows `text` again and again until ``stop()``; the first time after a moment, so that short runs
  /// show nothing.
  func start(_ text: @escaping @Sendable (Duration) -> String) {
    schedule(text, after: .milliseconds(500))
  }

  /// Takes the line away for good.
  func stop() {
    hide()
    state.withLock { $0.isStopped = true }
  }

  /// Takes the line away until it is next rewritten.
  func hide() {
    state.withLock { state in
      if state.isShown { write(Self.clear) }
      state.isShown = false
    }
  }

  private func schedule(
    _ text: @escaping @Sendable (Duration) -> String, after delay: DispatchTimeInterval
  ) {
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in
      guard let self else { return }
      let line = text(started.duration(to: .now))
      let goesOn = state.withLock { state in
        guard !state.isStopped else { return false }
        write(Self.clear + String(line.prefix(width - 1)))
        state.isShown = true
        return true
      }
      if goesOn { schedule(text, after: Self.interval) }
    }
  }
}
