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

/// A program that was started, with its standard output as a pipe and nothing to read.
final class ChildProcess: Sendable {
  /// The program's name, for messages.
  let name: String
  /// The descriptor of its output; whoever reads it closes it.
  let output: Int32
  private let identifier: pid_t
  /// Whether its end was waited for, so that its number may belong to another process.
  private let isOver = Mutex(false)

  /// Starts the program `words[0]`, found in PATH, with the other words as its arguments.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when it cannot be started.
  init(_ words: [String]) throws {
    let program = words.first ?? ""
    name = program
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw AggregateError(.unavailable, "cannot run \(program): \(Self.reason(errno))")
    }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    var started: pid_t = 0
    let status = Self.spawn(words, output: ends[1], &started)
    close(ends[1])
    guard status == 0 else {
      close(ends[0])
      throw AggregateError(
        .configuration, "cannot run \(program): \(Self.reason(status))",
        hint: status == ENOENT
          ? "it is looked for in PATH; “run” is a list of words, not a line for a shell" : nil)
    }
    identifier = started
    output = ends[0]
  }

  deinit {
    if !isOver.withLock({ $0 }) {
      kill(identifier, SIGTERM)
      var status: Int32 = 0
      _ = waitpid(identifier, &status, WNOHANG)
    }
  }

  private static func spawn(
    _ words: [String], output: Int32, _ started: inout pid_t
  ) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    // A program expects to be told by a signal that nobody reads it any more.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    return posix_spawnp(&started, words.first ?? "", &actions, &attributes, &arguments, environ)
  }

  /// Asks the program to end.
  func terminate() {
    isOver.withLock { isOver in
      if !isOver { kill(identifier, SIGTERM) }
    }
  }

  /// Waits for the program's end.
  ///
  /// - Throws: ``AggregateError`` with code `rejected` when it ended with a status or by a signal.
  func finish() async throws {
    let status = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: self.wait()) }
    }
    let signal = status & 0x7F
    let code = status >> 8 & 0xFF
    if signal != 0 {
      throw AggregateError(.rejected, "the program \(name) was ended by signal \(signal)")
    }
    if code != 0 {
      throw AggregateError(.rejected, "the program \(name) ended with status \(code)")
    }
  }

  private func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 {
      if errno != EINTR { break }
    }
    isOver.withLock { $0 = true }
    return status
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
