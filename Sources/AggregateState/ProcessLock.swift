internal import AggregateCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A lock that at most one holder has, among all processes and tasks; it ends with its process.
public struct ProcessLock: ~Copyable {
  private let descriptor: Int32

  /// Takes the lock of the file at `path`, which is created for its owner only; nil while another has it.
  ///
  /// - Throws: ``AggregateError`` with code `output` when the file can't be opened.
  public init?(path: String) throws {
    if let slash = path.lastIndex(of: "/") { try PrivateFolder.create(String(path[..<slash])) }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw AggregateError(.output, "\(path): the lock could not be opened: \(reason)")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK || code == EINTR { return nil }
      throw AggregateError(
        .output, "\(path): the lock could not be taken: \(String(cString: strerror(code)))")
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
