internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A file that appears under its name only when it is complete: a killed run leaves the old one.
///
/// It grows beside its place under a name that nobody can guess, reaches the disk, and is renamed. Through
/// a symbolic link the file that it leads to is replaced. A device, a pipe and whatever else is no regular
/// file is written to as it is: nothing may take its place. Without ``commit()`` nothing of it stays.
public final class AtomicFile: Sendable {
  /// How many bytes are gathered: nobody reads the file before it is complete.
  private static let room = 1 << 16
  /// How many links may lead to each other, as on Linux.
  private static let mostLinks = 40

  private struct State {
    var gathered: [UInt8] = []
    var isOpen = true
  }

  private let path: String
  /// What is replaced: where links lead.
  private let target: String
  /// Where the file grows; nil for what is written to as it is.
  private let temporaryPath: String?
  private let descriptor: Int32
  private let state = Mutex(State())

  /// Creates the temporary file beside the one that `path` leads to.
  ///
  /// - Parameter mode: The permissions of a new file, less the process's mask; a file that is replaced
  ///   passes its own on.
  /// - Throws: ``AggregateError`` with code `output` that says why it can't be created.
  public init(_ path: String, mode: UInt16 = 0o666) throws {
    self.path = path
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw AggregateError(.output, "“\(path)” is a folder", hint: "name a file in it")
    }
    if let target = try Self.replaced(path) {
      self.target = target
      (temporaryPath, descriptor) = try Self.begun(beside: target, for: path, mode_t(mode))
    } else {
      target = path
      temporaryPath = nil
      descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
      if descriptor < 0 { throw Self.failure(path) }
    }
  }

  deinit { discard() }

  /// Replaces the content of `path`, or makes it.
  ///
  /// - Throws: ``AggregateError`` with code `output`; the old content is then still there.
  public static func replace(
    _ path: String, with bytes: UnsafeRawBufferPointer, mode: UInt16 = 0o666
  ) throws {
    let file = try AtomicFile(path, mode: mode)
    _ = try file.write(bytes)
    try file.commit()
  }

  /// Replaces the content of `path` by `text` in UTF-8, or makes it.
  ///
  /// - Throws: ``AggregateError`` with code `output`; the old content is then still there.
  public static func replace(_ path: String, with text: String) throws {
    var text = text
    try text.withUTF8 { try replace(path, with: UnsafeRawBufferPointer($0)) }
  }

  /// Appends bytes, all of them.
  ///
  /// - Returns: `.enough` when the reader of a pipe has gone.
  /// - Throws: ``AggregateError`` with code `output`.
  public func write(_ bytes: UnsafeRawBufferPointer) throws -> Demand {
    try state.withLock { state in
      if state.gathered.count + bytes.count <= Self.room {
        state.gathered.append(contentsOf: bytes)
        return .more
      }
      if try put(&state.gathered) == .enough { return .enough }
      return try DescriptorOutput.write(bytes, to: descriptor, name: "“\(path)”")
    }
  }

  /// Makes what was written the content of the file.
  ///
  /// - Throws: ``AggregateError`` with code `output`; nothing of it stays then.
  public func commit() throws {
    do {
      try state.withLock { _ = try put(&$0.gathered) }
      guard let temporaryPath else { return try close() }
      // Kept the mode of the file that it replaces.
      var status = stat()
      if stat(target, &status) == 0 { fchmod(descriptor, status.st_mode & 0o7777) }
      guard Self.sync(descriptor) else { throw Self.failure(path) }
      try close()
      guard rename(temporaryPath, target) == 0 else {
        let failure = Self.failure(path)
        unlink(temporaryPath)
        throw failure
      }
    } catch {
      discard()
      throw error
    }
    // The rename itself survives a power cut only once the folder is on the disk.
    let folder = open(Self.folder(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      Self.closed(folder)
    }
  }

  /// Leaves the file as it was; does nothing after ``commit()``.
  public func discard() {
    let wasOpen = state.withLock { state in
      defer { state.isOpen = false }
      return state.isOpen
    }
    guard wasOpen else { return }
    Self.closed(descriptor)
    if let temporaryPath { unlink(temporaryPath) }
  }

  /// Writes what was gathered.
  private func put(_ gathered: inout [UInt8]) throws -> Demand {
    defer { gathered.removeAll(keepingCapacity: true) }
    return try gathered.withUnsafeBytes {
      try DescriptorOutput.write($0, to: descriptor, name: "“\(path)”")
    }
  }

  private func close() throws {
    state.withLock { $0.isOpen = false }
    if Self.closed(descriptor) { return }
    let failure = Self.failure(path)
    if let temporaryPath { unlink(temporaryPath) }
    throw failure
  }

  /// The path of the regular file, there or not, that `path` leads to; nil for what is written to as it is.
  private static func replaced(_ path: String) throws -> String? {
    var path = path
    for _ in 0...mostLinks {
      // What these links lead to may be a regular file, but the links must stay.
      if ["/dev/stdout", "/dev/stderr"].contains(path) { return nil }
      if ["/dev/fd/", "/proc/"].contains(where: path.hasPrefix) { return nil }
      var status = stat()
      guard lstat(path, &status) == 0 else { return path }
      guard status.st_mode & S_IFMT == S_IFLNK else {
        return status.st_mode & S_IFMT == S_IFREG ? path : nil
      }
      var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let count = readlink(path, &bytes, bytes.count - 1)
      guard count > 0 else { return path }
      let link = String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      path = link.hasPrefix("/") ? link : folder(of: path) + link
    }
    errno = ELOOP
    throw failure(path)
  }

  /// A new file beside `target`, which nobody can have put there before.
  private static func begun(
    beside target: String, for path: String, _ mode: mode_t
  ) throws -> (path: String, descriptor: Int32) {
    // The name tells what a killed run was writing, and is short enough for every file system.
    let name = target[(target.lastIndex(of: "/").map(target.index(after:)) ?? target.startIndex)...]
    let start = "\(folder(of: target)).\(String(decoding: name.utf8.prefix(64), as: UTF8.self))."
    while true {
      let secret = UInt128.random(in: 0...UInt128.max)
      let beside = "\(start)\(String(secret, radix: 36)).tmp"
      let descriptor = open(
        beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      if descriptor >= 0 { return (beside, descriptor) }
      if errno != EEXIST { throw failure(path) }
    }
  }

  /// The folder of a path, with its slash; `./` for a mere name.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
  }

  /// Whether what was written is on the disk, as far as the file system can do that.
  private static func sync(_ descriptor: Int32) -> Bool {
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      return [EINVAL, ENOTSUP, ENOSYS].contains(errno)
    }
    return true
  }

  @discardableResult
  private static func closed(_ descriptor: Int32) -> Bool {
    // The method of the same name hides the function of the system.
    #if canImport(Glibc)
      Glibc.close(descriptor) == 0
    #elseif canImport(Musl)
      Musl.close(descriptor) == 0
    #else
      Darwin.close(descriptor) == 0
    #endif
  }

  /// What the last failed system call says.
  private static func failure(_ path: String) -> AggregateError {
    AggregateError(
      .output, "can't write “\(path)”: \(String(cString: strerror(errno)))",
      hint: errno == ENOENT ? "the folder does not exist" : nil)
  }
}
