#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Bytes written to an open descriptor of the process.
public enum DescriptorOutput {
  /// Writes all of `bytes`.
  ///
  /// - Parameter name: What the descriptor is, for messages.
  /// - Returns: `.enough` when the reader has gone.
  /// - Throws: ``AggregateError`` with code `output`.
  public static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, name: String
  ) throws -> Demand {
    var offset = 0
    while offset < bytes.count {
      let written = put(
        bytes.baseAddress.map { $0 + offset }, bytes.count - offset, into: descriptor)
      if written < 0 {
        if errno == EINTR { continue }
        // A reader that leaves has all it wants.
        if errno == EPIPE { return .enough }
        throw AggregateError(
          .output, "can't write to \(name): \(String(cString: strerror(errno)))")
      }
      offset += written
    }
    return .more
  }

  private static func put(
    _ bytes: UnsafeRawPointer?, _ count: Int, into descriptor: Int32
  ) -> Int {
    // The `write` above hides the function of the system.
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes, count)
    #else
      Darwin.write(descriptor, bytes, count)
    #endif
  }
}
