internal import AggregateCore
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The bytes of a file descriptor: a file, a pipe, standard input.
///
/// Reading waits on a queue of its own, never on a thread of the cooperative pool.
public final class DescriptorSource: ByteSource {
  private let descriptor: Int32
  private let closes: Bool
  private let name: String
  private let queue = DispatchQueue(label: "aggregate.read")

  /// Creates a source of `descriptor`, which is closed at the end when `closes`.
  ///
  /// - Parameter name: The name of the input, for messages.
  public init(_ descriptor: Int32, name: String, closes: Bool) {
    self.descriptor = descriptor
    self.name = name
    self.closes = closes
  }

  /// Opens the file at `path`.
  ///
  /// - Throws: ``AggregateError`` with code `unavailable` that names the path and the reason.
  public convenience init(path: String) throws {
    var status = stat()
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw AggregateError(.unavailable, "cannot read \(path): \(Self.reason())")
    }
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      throw AggregateError(
        .unavailable, "cannot read \(path): it is a folder",
        hint: "a glob such as \(path)/*.csv reads the files in it")
    }
    self.init(descriptor, name: path, closes: true)
  }

  deinit { if closes { close(descriptor) } }

  /// The next bytes, as many as are there at once.
  ///
  /// - Throws: ``AggregateError`` with code `unavailable` when the system reports an error, and
  ///   `CancellationError` at once when the task is cancelled.
  public func read(
    behind rest: RestOfBlock, maximum: Int, patience: Duration
  ) async throws -> ByteBlock {
    let waiting = Waiting()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiting.begin(continuation)
        queue.async {
          waiting.end(Result { try self.readNow(behind: rest, maximum, patience) })
        }
      }
    } onCancel: {
      // The read itself cannot be interrupted; whoever waits for it can.
      waiting.end(.failure(CancellationError()))
    }
  }

  /// A task that waits for a read: continued once, by the read or by its cancellation.
  private final class Waiting: Sendable {
    private enum State {
      case notYet
      case waiting(CheckedContinuation<ByteBlock, any Error>)
      case over
    }

    private let state = Mutex(State.notYet)

    func begin(_ continuation: CheckedContinuation<ByteBlock, any Error>) {
      let isOver = state.withLock { state in
        if case .over = state { return true }
        state = .waiting(continuation)
        return false
      }
      if isOver { continuation.resume(throwing: CancellationError()) }
    }

    func end(_ result: Result<ByteBlock, any Error>) {
      let continuation = state.withLock { state -> CheckedContinuation<ByteBlock, any Error>? in
        defer { state = .over }
        if case .waiting(let continuation) = state { return continuation }
        return nil
      }
      continuation?.resume(with: result)
    }
  }

  private func readNow(
    behind rest: RestOfBlock, _ maximum: Int, _ patience: Duration
  ) throws -> ByteBlock {
    var isLast = false
    var deadline: ContinuousClock.Instant?
    let start = rest.range.count
    let buffer = try ByteBuffer(capacity: start + maximum) { target in
      rest.copy(to: target)
      var count = start
      while count < start + maximum {
        if count > start {
          let end = deadline ?? ContinuousClock.now + patience
          deadline = end
          if !isReady(until: end, patience) { break }
        }
        let free = UnsafeMutableRawBufferPointer(rebasing: target[count...])
        #if canImport(Glibc)
          let got = Glibc.read(descriptor, free.baseAddress, free.count)
        #elseif canImport(Musl)
          let got = Musl.read(descriptor, free.baseAddress, free.count)
        #else
          let got = Darwin.read(descriptor, free.baseAddress, free.count)
        #endif
        if got == 0 {
          isLast = true
          break
        }
        if got > 0 {
          count += got
        } else if errno == EAGAIN {
          wait(milliseconds: -1)
        } else if errno != EINTR {
          throw AggregateError(.unavailable, "cannot read \(name): \(Self.reason())")
        }
      }
      return count
    }
    return ByteBlock(buffer, isLast: isLast)
  }

  /// Whether a read would not wait, or stops waiting before `end`.
  private func isReady(until end: ContinuousClock.Instant, _ patience: Duration) -> Bool {
    if patience == .zero { return wait(milliseconds: 0) }
    let left = max(.zero, end - ContinuousClock.now)
    let (seconds, attoseconds) = left.components
    return wait(milliseconds: Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
  }

  @discardableResult
  private func wait(milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) != 0
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
