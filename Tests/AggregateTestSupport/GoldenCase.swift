public import Foundation

/// A folder `Tests/Cases/<area>-<topic>/<name>` with a command and what it must answer.
///
/// `Tests/Cases/README.md` says what the folder holds.
public struct GoldenCase: Sendable, CustomStringConvertible {
  /// The names of the files that are not input: the command and what is expected.
  static let reserved: Set<String> = ["cmd", "stdout", "stderr", "exit", "requests", "serve"]

  /// The folder.
  public let folder: URL
  /// `<area>-<topic>/<name>`.
  public let description: String

  /// All the cases below `folder`, by name.
  ///
  /// - Throws: What the file system says when `folder` can't be listed.
  public static func all(in folder: URL) throws -> [GoldenCase] {
    try folders(in: folder).flatMap { topic in
      try folders(in: topic).map { item in
        GoldenCase(
          folder: item, description: "\(topic.lastPathComponent)/\(item.lastPathComponent)")
      }
    }
  }

  /// Runs the command in a fresh copy of the folder.
  ///
  /// - Throws: ``GoldenCaseError`` when there is no command or it does not end in time.
  public func run(program: URL, timeLimit: Duration = .seconds(60)) async throws -> GoldenOutcome {
    guard FileManager.default.fileExists(atPath: folder.appending(path: "cmd").path) else {
      throw GoldenCaseError("there is no cmd in \(description)")
    }
    let sandbox = try GoldenSandbox()
    defer { sandbox.remove() }
    let serve = folder.appending(path: "serve")
    let server =
      try FileManager.default.fileExists(atPath: serve.path)
      ? GoldenServer(serve) : nil
    sandbox.replacements = server.map { [("@BASE@", $0.baseURL), ("@HOST@", $0.host)] } ?? []
    try sandbox.copy(folder, leavingOut: Self.reserved.subtracting(["cmd"]))
    server?.replacements = sandbox.replacements
    let exit = try await sandbox.run(
      ["cmd"], program: program, environment: server.map { ["BASE": $0.baseURL] } ?? [:],
      timeLimit: timeLimit)
    var outcome = try sandbox.outcome(exit: exit)
    outcome.requests = server.map { sandbox.restored($0.log) } ?? ""
    return outcome
  }

  /// What is expected; nil when there is no `stdout`.
  public var expectation: GoldenOutcome? {
    guard let stdout = text("stdout") else { return nil }
    let exit = text("exit").flatMap { Int32($0.filter(\.isNumber)) } ?? 0
    return GoldenOutcome(
      exit: exit, stdout: stdout, stderr: text("stderr") ?? "", requests: text("requests") ?? "")
  }

  /// Whether the requests are compared: when there is a file of that name.
  public var comparesRequests: Bool { text("requests") != nil }

  /// Makes `outcome` the expectation; what is empty or zero gets no file, but for `stdout`.
  ///
  /// - Throws: What the file system says.
  public func record(_ outcome: GoldenOutcome) throws {
    try write(outcome.stdout, "stdout", always: true)
    try write(outcome.stderr, "stderr")
    try write(outcome.exit == 0 ? "" : "\(outcome.exit)\n", "exit")
    if comparesRequests { try write(outcome.requests, "requests", always: true) }
  }

  private func write(_ text: String, _ name: String, always: Bool = false) throws {
    let file = folder.appending(path: name)
    if text.isEmpty && !always {
      try? FileManager.default.removeItem(at: file)
    } else {
      try Data(text.utf8).write(to: file)
    }
  }

  private func text(_ name: String) -> String? {
    (try? Data(contentsOf: folder.appending(path: name))).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static func folders(in folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey]
    )
    .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false }
    .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}

/// What a command answered.
public struct GoldenOutcome: Sendable, Equatable {
  /// The exit code.
  public var exit: Int32
  /// Standard output; bytes that are not UTF-8 show as replacement characters.
  public var stdout: String
  /// Standard error.
  public var stderr: String
  /// The requests that the server of the case got, one per line.
  public var requests = ""
}

/// Why a case could not be run.
public struct GoldenCaseError: Error, CustomStringConvertible {
  /// What is wrong.
  public let description: String

  /// Creates an error.
  public init(_ description: String) { self.description = description }
}
