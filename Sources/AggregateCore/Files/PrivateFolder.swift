#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Folders that belong to the user alone.
public enum PrivateFolder {
  /// Creates `path` and what leads to it, for the owner only; what is there stays as it is.
  ///
  /// - Throws: ``AggregateError`` with code `output`.
  public static func create(_ path: String) throws {
    var built = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      built += "/\(part)"
      if mkdir(built, 0o700) != 0 && errno != EEXIST && errno != EISDIR {
        let reason = String(cString: strerror(errno))
        var info = stat()
        if stat(built, &info) == 0 { continue }
        throw AggregateError(.output, "\(built): the folder could not be created: \(reason)")
      }
    }
  }
}
