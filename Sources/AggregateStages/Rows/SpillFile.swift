internal import AggregateCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A temporary file without a name: bytes are appended once and read back at any place.
final class SpillFile {
  private let descriptor: Int32
  private let directory: String
  private var pending: [UInt8] = []
  private static let flushSize = 1 << 18
  /// How many bytes were appended.
  private(set) var count = 0

  /// Creates a file in `directory`.
  ///
  /// - Throws: ``AggregateError`` with code `limit` when that is not possible.
  init(in directory: String) throws {
    var template = Array("\(directory)/aggregate-spill-XXXXXX".utf8CString)
    descriptor = template.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return -1 }
      let descriptor = mkstemp(base)
      // Without a name the file goes away with the process, however that ends.
      if descriptor >= 0 { unlink(base) }
      return descriptor
    }
    self.directory = directory
    if descriptor < 0 { throw Self.failure("cannot make a temporary file", directory) }
  }

  deinit { close(descriptor) }

  /// Appends `bytes`.
  func append(_ bytes: UnsafeRawBufferPointer) throws {
    pending.append(contentsOf: bytes)
    count += bytes.count
    if pending.count >= Self.flushSize { try flush() }
  }

  /// Writes what was appended; done before reading.
  func flush() throws {
    var start = 0
    while start < pending.count {
      let written = pending.withUnsafeBytes { bytes in
        write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
      }
      if written < 0 {
        if errno == EINTR { continue }
        throw Self.failure("cannot write rows to a temporary file", directory)
      }
      start += written
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// Reads into `target` from `offset` on.
  ///
  /// - Returns: How many bytes were read; fewer than asked for only at the end of the file.
  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws -> Int {
    var done = 0
    while done < target.count {
      let got = pread(
        descriptor, target.baseAddress.map { $0 + done }, target.count - done, off_t(offset + done))
      if got < 0 {
        if errno == EINTR { continue }
        throw Self.failure("cannot read a temporary file", directory)
      }
      if got == 0 { break }
      done += got
    }
    return done
  }

  private static func failure(_ what: String, _ directory: String) -> AggregateError {
    AggregateError(
      .limit, "\(what) in \(directory): \(String(cString: strerror(errno)))",
      hint: "make room there, or give more memory with --max-memory")
  }
}
