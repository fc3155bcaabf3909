internal import AggregateCore
internal import CPostgreSQL

/// A connection to a PostgreSQL server; belongs to one task or lock at a time.
final class PostgreSQLConnection {
  private let shown: String
  private let handle: UnsafeMutableRawPointer?

  /// The version of libpq, such as `15.14`.
  ///
  /// - Throws: ``AggregateError`` with code `unavailable` when it is not installed.
  static func libraryVersion() throws -> String {
    if let problem = cpostgresql_load() {
      throw AggregateError(
        .unavailable, String(cString: problem), hint: "install libpq (Debian: libpq5)")
    }
    let version = cpostgresql_version()
    return "\(version / 10_000).\(version % 10_000)"
  }

  /// Connects.
  ///
  /// - Throws: ``AggregateError`` with code `output` that says why it can't.
  init(_ target: PostgreSQLTarget) throws {
    shown = target.shown
    do {
      _ = try Self.libraryVersion()
    } catch let error as AggregateError {
      throw AggregateError(.output, error.message, hint: error.hint)
    }
    handle = cpostgresql_connect(target.address)
    if cpostgresql_is_open(handle) == 0 { throw failure() }
    try run("SET client_encoding = 'UTF8'; SET standard_conforming_strings = on")
  }

  deinit { cpostgresql_close(handle) }

  /// Runs commands without results.
  func run(_ command: String) throws { _ = try rows(command, columns: 0) }

  /// Runs a query; gives the first `columns` columns of its rows.
  func rows(_ query: String, columns: Int) throws -> [[String?]] {
    var result: UnsafeMutableRawPointer?
    let isGood = cpostgresql_run(handle, query, &result) == 1
    defer { cpostgresql_free(result) }
    guard isGood else { throw failure() }
    guard columns > 0 else { return [] }
    return (0..<cpostgresql_row_count(result)).map { row in
      (0..<columns).map { column in
        cpostgresql_value(result, row, Int32(column)).map { String(cString: $0) }
      }
    }
  }

  /// Begins a copy of rows to the server.
  func beginCopy(_ command: String) throws {
    if cpostgresql_copy_begin(handle, command) == 0 { throw failure() }
  }

  /// Sends a piece of it.
  func copy(_ bytes: ByteBuffer) throws {
    let isGood = bytes.withUnsafeBytes { bytes in
      cpostgresql_copy_put(
        handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    if isGood == 0 { throw failure() }
  }

  /// Ends it.
  func endCopy() throws { if cpostgresql_copy_end(handle) == 0 { throw failure() } }

  private func failure() -> AggregateError {
    let text = cpostgresql_message(handle).map { String(cString: $0) } ?? "out of memory"
    // The query and where in it something is wrong are of this program, not of the user.
    let lines = text.split(whereSeparator: \.isNewline)
      .map { $0.drop(while: \.isWhitespace) }
      .filter { line in
        !line.isEmpty && line != "^" && !["LINE ", "CONTEXT:"].contains { line.hasPrefix($0) }
      }
      .map { $0.hasPrefix("ERROR:") ? $0.dropFirst(6).drop(while: \.isWhitespace) : $0 }
    return AggregateError(.output, "\(shown): \(lines.prefix(3).joined(separator: "; "))")
  }
}
