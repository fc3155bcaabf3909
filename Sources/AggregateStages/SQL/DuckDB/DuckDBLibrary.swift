internal import AggregateCore
internal import CDuckDB
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// DuckDB's library, looked up when it is first asked for and then kept.
///
/// The functions are written once, before `init` returns; DuckDB itself may be called from any thread.
final class DuckDBLibrary: @unchecked Sendable {
  /// What the library can do.
  let functions: cduckdb_functions
  private static let loaded = Mutex<DuckDBLibrary?>(nil)

  /// The library of this process.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` that says what was tried.
  static func shared() throws -> DuckDBLibrary {
    try loaded.withLock { loaded in
      if let library = loaded { return library }
      let library = try DuckDBLibrary(path: environment("DUCKDB_LIBRARY"))
      loaded = library
      return library
    }
  }

  /// Loads the library at `path`, or the first of the usual names.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` that says what was tried.
  init(path: String?) throws {
    var functions = cduckdb_functions()
    var problems: [String] = []
    for candidate in path.map({ [$0] }) ?? Self.usualNames {
      if let problem = Self.load(candidate, &functions) {
        problems.append(problem)
      } else {
        self.functions = functions
        return
      }
    }
    let tried =
      path.map { "“\($0)”, which DUCKDB_LIBRARY names" }
      ?? "\(Self.usualNames.joined(separator: ", "))"
    throw AggregateError(
      .configuration,
      "DuckDB could not be loaded; tried \(tried): \(problems.last ?? "no such file")",
      hint: "set DUCKDB_LIBRARY to the path of libduckdb (https://duckdb.org/install), or of the"
        + " _duckdb….so that “pip install duckdb” brings")
  }

  /// The version, such as `v1.4.0`.
  var version: String { functions.library_version().map { String(cString: $0) } ?? "" }

  private static let usualNames = [
    "libduckdb.so", "libduckdb.dylib", "/usr/local/lib/libduckdb.so",
    "/usr/local/lib/libduckdb.dylib", "/opt/homebrew/lib/libduckdb.dylib",
  ]

  /// Loads one library; gives what is wrong with it.
  private static func load(_ path: String, _ functions: inout cduckdb_functions) -> String? {
    guard let version = pythonVersion(ofModule: path) else {
      return failure(cduckdb_load(path, nil, &functions))
    }
    var problem: String?
    for python in pythonLibraries(version, besides: path) {
      guard let found = failure(cduckdb_load(path, python, &functions)) else { return nil }
      // What is wrong with a library that is there says more than that another is not there.
      if problem == nil || python.hasPrefix("/") { problem = found }
    }
    return (problem ?? "no library of Python \(version) was found")
      + "; PYTHON_LIBRARY may name libpython\(version)"
  }

  private static func failure(_ message: UnsafeMutablePointer<CChar>?) -> String? {
    guard let message else { return nil }
    defer { cduckdb_free_message(message) }
    return String(cString: message)
  }

  /// The version of Python that a module is made for (`_duckdb.cpython-311-….so`); nil for a library.
  static func pythonVersion(ofModule path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let tag = name.firstRange(of: "cpython-") else { return nil }
    let digits = name[tag.upperBound...].prefix { ("0"..."9").contains($0) }
    guard digits.count > 1 else { return nil }
    return "\(digits.prefix(1)).\(digits.dropFirst())"
  }

  /// Where the library of Python that a module needs may be, the likeliest first.
  private static func pythonLibraries(_ version: String, besides module: String) -> [String] {
    let names = [
      "libpython\(version).so.1.0", "libpython\(version).so", "libpython\(version).dylib",
    ]
    var folders: [String] = []
    // The module is in PREFIX/lib/pythonX.Y/site-packages; a virtual environment names its Python.
    let parts = module.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    for count in stride(from: parts.count, to: 0, by: -1) {
      let folder = parts.prefix(count).joined(separator: "/")
      if let home = homeOfEnvironment(folder) { folders += ["\(home)/../lib", "\(home)/../lib64"] }
      folders.append("\(folder)/lib")
    }
    var files: [String] = []
    for folder in folders {
      for name in names where access("\(folder)/\(name)", R_OK) == 0 {
        files.append("\(folder)/\(name)")
      }
    }
    return [environment("PYTHON_LIBRARY")].compactMap(\.self) + files + names
  }

  /// What `home =` says in the file that describes a virtual environment.
  private static func homeOfEnvironment(_ folder: String) -> String? {
    guard let file = fopen("\(folder)/pyvenv.cfg", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].allSatisfy({ $0.isLetter || $0 == " " }),
        parts[0].split(separator: " ").first == "home"
      else { continue }
      return String(parts[1].drop { $0 == " " })
    }
    return nil
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
