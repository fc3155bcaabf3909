import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Turns SIGINT and SIGTERM into the cancellation of the running task.
///
/// The first signal stops requests and lets whole rows out; the second one ends the process.
final class Interruption: Sendable {
  private let isRaised = Mutex(false)
  private let cancel = Mutex<(@Sendable () -> Void)?>(nil)
  /// Kept so that they stay active; never touched after `init`.
  private nonisolated(unsafe) var sources: [any DispatchSourceSignal] = []

  /// Starts to watch. A closed pipe no longer ends the process: writing to it fails instead.
  init() {
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "signals")
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [self] in
        let again = isRaised.withLock { raised in
          defer { raised = true }
          return raised
        }
        if again { _exit(130) }
        cancel.withLock { $0 }?()
      }
      source.resume()
      sources.append(source)
    }
  }

  /// Whether a signal came.
  var wasRaised: Bool { isRaised.withLock { $0 } }

  /// Runs `body` in a task that a signal cancels.
  func run<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws -> T {
    let work = Task { try await body() }
    cancel.withLock { $0 = { work.cancel() } }
    if wasRaised { work.cancel() }
    return try await work.value
  }
}
