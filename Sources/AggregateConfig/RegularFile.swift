#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Reads small files whole. Devices and folders are refused, and pipes where nobody asked for one,
/// so that nothing can hang.
enum RegularFile {
  /// Why a file could not be read, in words.
  struct Failure: Error {
    var message: String
  }

  /// Whether there is a file that is neither a folder nor a device.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The bytes of the file at `path`, at most `limit`; a pipe is read to its end when allowed.
  static func read(
    _ path: String, limit: Int, allowingPipes: Bool = false
  ) throws(Failure) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC | (allowingPipes ? 0 : O_NONBLOCK))
    guard file >= 0 else { throw Failure(message: String(cString: strerror(errno))) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else {
      throw Failure(message: String(cString: strerror(errno)))
    }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || (allowingPipes && kind == S_IFIFO) else {
      throw Failure(message: kind == S_IFDIR ? "it is a folder" : "it is not a regular file")
    }
    guard status.st_size <= limit else {
      throw Failure(message: "it has more than \(limit) bytes")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      #if canImport(Glibc)
        let count = Glibc.read(file, &chunk, chunk.count)
      #else
        let count = Darwin.read(file, &chunk, chunk.count)
      #endif
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw Failure(message: String(cString: strerror(errno))) }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    guard bytes.count <= limit else { throw Failure(message: "it has more than \(limit) bytes") }
    return bytes
  }
}
