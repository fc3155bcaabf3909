internal import AggregateCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Whole files, read.
enum FileBytes {
  /// The content of a file.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when it can't be read.
  static func read(_ path: String) throws -> ByteBuffer {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
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
      if count < 0 { throw failure(path) }
      if count == 0 { return content.finish() }
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

  private static func failure(_ path: String) -> AggregateError {
    AggregateError(
      .configuration, "\(path) could not be read: \(String(cString: strerror(errno)))")
  }
}
