internal import AggregateCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Where state and cache lie.
public enum StateFolder {
  /// `$XDG_STATE_HOME/aggregate`, by default `~/.local/state/aggregate`.
  public static func state(_ environment: [String: String]) -> String {
    folder("XDG_STATE_HOME", "/.local/state", environment)
  }

  /// `$XDG_CACHE_HOME/aggregate`, by default `~/.cache/aggregate`.
  public static func cache(_ environment: [String: String]) -> String {
    folder("XDG_CACHE_HOME", "/.cache", environment)
  }

  private static func folder(
    _ variable: String, _ inHome: String, _ environment: [String: String]
  ) -> String {
    // The specification says that a relative path is to be ignored.
    if let base = environment[variable], base.hasPrefix("/") { return "\(base)/aggregate" }
    return "\(environment["HOME"] ?? "/tmp")\(inHome)/aggregate"
  }

  /// Creates `path` and what leads to it, for the owner only.
  ///
  /// - Throws: ``AggregateError`` with code `output`.
  static func create(_ path: String) throws {
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
