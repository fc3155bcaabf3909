package import AggregateCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What decides whether an output becomes final.
protocol OutputCommit: Sendable {
  /// Makes what was written final.
  func commit() throws

  /// Leaves things as they were before, as far as that is possible.
  func discard()
}

/// Where the bytes of the output go.
protocol ByteSink: OutputCommit {
  /// Writes bytes, all of them.
  ///
  /// - Returns: `.enough` when the reader has gone.
  /// - Throws: ``AggregateError`` with code `output`.
  func write(_ bytes: UnsafeRawBufferPointer) throws -> Demand
}

/// Standard output.
package struct StandardOutput: ByteSink {
  /// - Throws: ``AggregateError`` when standard output is not open.
  package init() throws {
    guard SystemFacts.isWritable(1) else {
      throw AggregateError(.output, "standard output is not open", hint: "use -o FILE")
    }
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws -> Demand {
    try writeAll(bytes, to: 1, name: "standard output")
  }

  func commit() {}
  func discard() {}
}

/// A file that appears under its name only when it is complete: a killed run leaves the old one.
///
/// A device, a pipe and whatever else is no regular file is written to as it is: nothing may take its place.
package final class AtomicFile: ByteSink {
  /// How many bytes are gathered: nobody reads the file before it is complete.
  private static let room = 1 << 16

  private let path: String
  /// Where the file grows; nil for what is written to as it is.
  private let temporaryPath: String?
  private let descriptor: Int32
  private let gathered = Mutex<[UInt8]>([])

  /// Creates the temporary file beside `path`.
  ///
  /// - Throws: ``AggregateError`` with code `output` that says why it can't be created.
  package init(_ path: String) throws {
    self.path = path
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? ""
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw AggregateError(.output, "“\(path)” is a folder", hint: "name a file in it")
    }
    if Self.isWrittenAsItIs(path) {
      temporaryPath = nil
      descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    } else {
      let beside = "\(folder).\(name).\(getpid()).tmp"
      temporaryPath = beside
      descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    }
    if descriptor < 0 {
      throw AggregateError(
        .output, "can't write “\(path)”: \(systemMessage())",
        hint: errno == ENOENT ? "the folder does not exist" : nil)
    }
  }

  /// Whether a path means a device, a pipe, a socket, or an open descriptor of the process.
  private static func isWrittenAsItIs(_ path: String) -> Bool {
    // What these links lead to may be a regular file, but the links must stay.
    let links = ["/dev/fd/", "/proc/"]
    if ["/dev/stdout", "/dev/stderr"].contains(path) || links.contains(where: path.hasPrefix) {
      return true
    }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws -> Demand {
    try gathered.withLock { gathered in
      if gathered.count + bytes.count <= Self.room {
        gathered.append(contentsOf: bytes)
        return .more
      }
      if try put(&gathered) == .enough { return .enough }
      return try writeAll(bytes, to: descriptor, name: "“\(path)”")
    }
  }

  /// Writes what was gathered.
  private func put(_ gathered: inout [UInt8]) throws -> Demand {
    defer { gathered.removeAll(keepingCapacity: true) }
    return try gathered.withUnsafeBytes { try writeAll($0, to: descriptor, name: "“\(path)”") }
  }

  package func commit() throws {
    do {
      _ = try gathered.withLock { try put(&$0) }
    } catch {
      discard()
      throw error
    }
    guard let temporaryPath else {
      if close(descriptor) == 0 { return }
      throw AggregateError(.output, "can't write “\(path)”: \(systemMessage())")
    }
    // Kept the mode of the file that it replaces.
    var status = stat()
    if stat(path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o7777) }
    guard close(descriptor) == 0, rename(temporaryPath, path) == 0 else {
      let message = systemMessage()
      unlink(temporaryPath)
      throw AggregateError(.output, "can't write “\(path)”: \(message)")
    }
  }

  package func discard() {
    close(descriptor)
    if let temporaryPath { unlink(temporaryPath) }
  }
}

private func writeAll(
  _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, name: String
) throws -> Demand {
  var offset = 0
  while offset < bytes.count {
    let written = systemWrite(
      descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
    if written < 0 {
      // A reader that leaves has all it wants.
      if errno == EPIPE { return .enough }
      throw AggregateError(.output, "can't write to \(name): \(systemMessage())")
    }
    offset += written
  }
  return .more
}
