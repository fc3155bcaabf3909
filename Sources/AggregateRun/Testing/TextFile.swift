import AggregateCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whole files as text.
package enum TextFile {
  /// The text of the file at `path`.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` that says why it can't be read.
  package static func read(_ path: String) throws -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  /// The bytes of the file at `path`.
  package static func bytes(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "re") else {
      throw AggregateError(.configuration, "“\(path)” can't be read: \(systemMessage())")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count > 0 { bytes.append(contentsOf: chunk[..<count]) }
      if count < chunk.count {
        if ferror(file) != 0 {
          throw AggregateError(.configuration, "“\(path)” can't be read: \(systemMessage())")
        }
        return bytes
      }
    }
  }
}
