import Foundation

/// A PostgreSQL server of its own, on a socket in a temporary folder; stopped when nobody holds it.
///
/// Nil where there is none to start: the tests that need it are skipped then.
final class PostgreSQLServer {
  /// Whether a server can be started here.
  static let isInstalled = programs != nil

  private static let programs: String? = {
    let folders =
      (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql"))?
      .map { "/usr/lib/postgresql/\($0)/bin" } ?? []
    return (folders.sorted().reversed() + ["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin"])
      .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
  }()

  private let folder: String

  init?() throws {
    guard let programs = Self.programs else { return nil }
    // Short: the path of a socket has a limit.
    folder = "/tmp/pg-\(UInt32.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    try Self.run("\(programs)/initdb -D \(folder)/data -A trust -N -U postgres", log: folder)
    try Self.run(
      "\(programs)/pg_ctl -D \(folder)/data -w -l \(folder)/log"
        + " -o \"-c listen_addresses='' -k \(folder) -F\" start", log: folder)
  }

  deinit {
    if let programs = Self.programs {
      try? Self.run("\(programs)/pg_ctl -D \(folder)/data -m immediate stop", log: folder)
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The address of a table.
  func address(_ settings: String) -> String {
    "postgres:///postgres?host=\(folder)&user=postgres&\(settings)"
  }

  /// Runs a command of the shell, as another user where the servers refuse to run as root.
  private static func run(_ command: String, log folder: String) throws {
    let whole = getuid() == 0 ? "runuser -u postgres -- \(command)" : command
    // Not Foundation's Process: waiting for a server's starter never ended with it.
    let status = system("cd /tmp && \(whole) </dev/null >\(folder)/said 2>&1")
    struct Failure: Error {
      let command: String
      let said: String
    }
    guard status == 0 else {
      let said = ["said", "log"].map {
        try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
      }
      throw Failure(command: command, said: said.compactMap(\.self).joined())
    }
  }
}
