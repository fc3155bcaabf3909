internal import AggregateCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Finds files by a pattern of the shell.
enum Glob {
  /// The files that `pattern` matches, ordered by the bytes of their names.
  ///
  /// A pattern that is the name of a file stands for it, whatever characters are in it, and so does
  /// one without `*`, `?` and `[`.
  /// - Throws: ``AggregateError`` with code `unavailable` when nothing matches.
  static func files(matching pattern: String) throws -> [String] {
    let isPattern = pattern.utf8.contains { "*?[".utf8.contains($0) }
    if !isPattern || access(pattern, F_OK) == 0 { return [pattern] }
    var result = glob_t()
    defer { globfree(&result) }
    guard glob(pattern, 0, nil, &result) == 0, let paths = result.gl_pathv else {
      throw AggregateError(
        .unavailable, "no file matches \(pattern)",
        hint: "paths are relative to the folder the program is started in")
    }
    let names = (0..<Int(result.gl_pathc)).compactMap { paths[$0].map { String(cString: $0) } }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
