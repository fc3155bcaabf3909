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
///
/// It leads a process group of its own, so that what it starts ends with it.
final class ChildProcess: Sendable {
  /// The program's name, for messages.
  let name: String
  /// The descriptor of its output; whoever reads it closes it.
  let output: Int32
  private let identifier: pid_t
  private let errors: Int32
  /// Whether all of its standard error was told.
  private let told = DispatchGroup()
  /// Whether its end was waited for, so that its number may belong to another process.
  private let isOver = Mutex(false)
  private let hasExpired = Mutex(false)

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
    var errorEnds: [Int32] = [-1, -1]
    guard pipe(&errorEnds) == 0 else {
      let reason = Self.reason(errno)
      for end in ends { close(end) }
      throw AggregateError(.unavailable, "cannot run \(program): \(reason)")
    }
    for end in ends + errorEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var started: pid_t = 0
    let status = Self.spawn(words, output: ends[1], errors: errorEnds[1], &started)
    close(ends[1])
    close(errorEnds[1])
    guard status == 0 else {
      close(ends[0])
      close(errorEnds[0])
      throw AggregateError(
        .configuration, "cannot run \(program): \(Self.reason(status))",
        hint: status == ENOENT
          ? "it is looked for in PATH; “run” is a list of words, not a line for a shell" : nil)
    }
    identifier = started
    output = ends[0]
    errors = errorEnds[0]
  }

  deinit {
    if !isOver.withLock({ $0 }) {
      kill(-identifier, SIGTERM)
      var status: Int32 = 0
      _ = waitpid(identifier, &status, WNOHANG)
    }
  }

  private static func spawn(
    _ words: [String], output: Int32, errors: Int32, _ started: inout pid_t
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
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    // A program expects to be told by a signal that nobody reads it any more.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigaddset(&signals, SIGTERM)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // Threads of this program may block signals, and a program inherits that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    return posix_spawnp(&started, words.first ?? "", &actions, &attributes, &arguments, environ)
  }

  /// Asks the program, and what it started, to end; `isForced` leaves them no choice.
  func terminate(isForced: Bool = false) {
    isOver.withLock { isOver in
      if !isOver { kill(-identifier, isForced ? SIGKILL : SIGTERM) }
    }
  }

  /// Asks the program to end, since it took too long.
  func expire() {
    hasExpired.withLock { $0 = true }
    terminate()
  }

  /// Whether it took too long.
  var isLate: Bool { hasExpired.withLock { $0 } }

  /// Tells each line of the program's standard error; called once, right after the start.
  func tellErrors(_ tell: @escaping @Sendable (String) -> Void) {
    let errors = errors
    DispatchQueue.global().async(group: told) {
      defer { close(errors) }
      var line: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(errors, &block, block.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { break }
        for byte in block[..<count] {
          if byte == UInt8(ascii: "\n") || line.count == 65_536 {
            tell(String(decoding: line, as: UTF8.self))
            line = []
          }
          if byte != UInt8(ascii: "\n") { line.append(byte) }
        }
      }
      if !line.isEmpty { tell(String(decoding: line, as: UTF8.self)) }
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
    // What the program left running may keep its standard error open.
    _ = told.wait(timeout: .now() + .seconds(1))
    return status
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
