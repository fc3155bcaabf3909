#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A library that is looked for at run time, and its version.
struct SharedLibrary {
  /// What people call it.
  let name: String
  /// The files it may be in.
  let files: [String]
  /// A function of it without parameters that gives the version as text.
  let versionFunction: String
  /// What does not work without it.
  let purpose: String

  /// libzstd.
  static let zstandard = SharedLibrary(
    name: "zstd",
    files: [
      "libzstd.so.1", "libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib",
      "/usr/local/lib/libzstd.1.dylib",
    ], versionFunction: "ZSTD_versionString", purpose: "files compressed with zstd")

  /// DuckDB.
  static let duckDB = SharedLibrary(
    name: "duckdb",
    files: [
      "libduckdb.so", "libduckdb.dylib", "/opt/homebrew/lib/libduckdb.dylib",
      "/usr/local/lib/libduckdb.dylib", "/usr/local/lib/libduckdb.so",
    ], versionFunction: "duckdb_library_version", purpose: "DuckDB's SQL and Parquet")

  /// The version; nil when the library is not found.
  var version: String? {
    guard let library = files.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
      return nil
    }
    // Never closed: some libraries leave threads behind.
    guard let symbol = dlsym(library, versionFunction) else { return "of an unknown version" }
    typealias Version = @convention(c) () -> UnsafePointer<CChar>?
    let function = unsafeBitCast(symbol, to: Version.self)
    return function().map { String(cString: $0) } ?? "of an unknown version"
  }
}
