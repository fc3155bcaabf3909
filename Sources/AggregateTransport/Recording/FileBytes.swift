internal import AggregateCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Whole files, read and replaced.
enum FileBytes {
  /// The content of a file.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when it can't be read.
  static func read(_ path: String) throws -> ByteBuffer {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, "could not be read", .configuration) }
    defer { close(descriptor) }
    var content = ByteBuilder(capacity: 65_536)
    while true {
      var count = 0
      content.append(maximum: 65_536) { target in
        repeat {
          count = Self.next(descriptor, target)
        } while count < 0 && errno == EINTR
        return max(0, count)
      }
      if count < 0 { throw failure(path, "could not be read", .configuration) }
      if count == 0 { return content.finish() }
    }
  }

  /// Replaces a file: whoever looks sees the old content or the new one, never a part. What is no regular file,
  /// such as a device, is written to as it is.
  ///
  /// - Throws: ``AggregateError`` with code `output`.
  static func replace(_ path: String, with bytes: UnsafeRawBufferPointer, mode: mode_t = 0o666)
    throws
  {
    var status = stat()
    let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    let temporary = isSpecial ? nil : "\(path).\(getpid()).tmp"
    let descriptor =
      temporary.map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode) }
      ?? open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, "could not be written", .output) }
    var offset = 0
    while offset < bytes.count {
      let piece = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      let count = write(descriptor, piece.baseAddress, piece.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        let error = failure(path, "could not be written", .output)
        close(descriptor)
        if let temporary { unlink(temporary) }
        throw error
      }
      offset += count
    }
    guard close(descriptor) == 0, temporary.map({ rename($0, path) }) ?? 0 == 0 else {
      let error = failure(path, "could not be written", .output)
      if let temporary { unlink(temporary) }
      throw error
    }
  }

  private static func next(_ descriptor: Int32, _ target: UnsafeMutableRawBufferPointer) -> Int {
    // The module's own `read` hides the function of the system.
    #if canImport(Glibc)
      Glibc.read(descriptor, target.baseAddress, target.count)
    #elseif canImport(Musl)
      Musl.read(descriptor, target.baseAddress, target.count)
    #else
      Darwin.read(descriptor, target.baseAddress, target.count)
    #endif
  }

  private static func failure(
    _ path: String, _ what: String, _ code: AggregateError.Code
  ) -> AggregateError {
    AggregateError(code, "\(path) \(what): \(String(cString: strerror(errno)))")
  }
}
