public import Foundation

/// A fresh folder in which a command runs with its own home, without network but loopback.
public final class GoldenSandbox {
  /// Marks in files, and what they stand for while the command runs.
  public var replacements: [(mark: String, text: String)] = []
  /// Where the command runs.
  public let work: URL
  private let root: URL
  private var home: URL { root.appending(path: "home") }

  /// Creates the folder.
  ///
  /// - Throws: What the file system says.
  public init() throws {
    // The resolved path, as the command sees it: a temporary folder may be a symbolic link.
    let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    root = temporary.appending(path: "golden-\(UUID().uuidString)")
    work = root.appending(path: "work")
    for name in ["work", "home", "output"] {
      try FileManager.default.createDirectory(
        at: root.appending(path: name), withIntermediateDirectories: true)
    }
  }

  deinit { remove() }

  /// Removes the folder, which is else done when nobody holds the sandbox any more.
  public func remove() { try? FileManager.default.removeItem(at: root) }

  /// Copies what `folder` holds, with the marks replaced.
  ///
  /// - Throws: What the file system says.
  public func copy(_ folder: URL, leavingOut: Set<String> = []) throws {
    for item in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    where !leavingOut.contains(item.lastPathComponent) {
      let target = work.appending(path: item.lastPathComponent)
      try FileManager.default.copyItem(at: item, to: target)
      guard let text = try? String(contentsOf: target, encoding: .utf8) else { continue }
      let replaced = substituted(text)
      if replaced != text { try Data(replaced.utf8).write(to: target) }
    }
  }

  /// `text` with the marks replaced.
  public func substituted(_ text: String) -> String {
    (replacements + [("@DIR@", work.path)]).reduce(text) {
      $0.replacingOccurrences(of: $1.mark, with: $1.text)
    }
  }

  /// `text` with the marks put back.
  public func restored(_ text: String) -> String {
    (replacements + [("@DIR@", work.path), ("@HOME@", home.path)]).reduce(text) {
      $0.replacingOccurrences(of: $1.text, with: $1.mark)
    }
  }

  /// Runs a shell script in the folder; what it writes is kept for ``outcome(exit:)``.
  ///
  /// - Parameters:
  ///   - arguments: What `sh` gets: the name of a script, or `-c` and a command.
  ///   - program: The binary that the script finds as `aggregate`.
  /// - Returns: The exit code.
  /// - Throws: ``GoldenCaseError`` when it can't be started or does not end in time.
  public func run(
    _ arguments: [String], program: URL, environment: [String: String] = [:],
    timeLimit: Duration = .seconds(60)
  ) async throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = arguments
    process.currentDirectoryURL = work
    let home = home.path
    let path = "\(program.deletingLastPathComponent().path):/usr/local/bin:/usr/bin:/bin"
    process.environment = [
      "PATH": path, "HOME": home, "TZ": "UTC", "LC_ALL": "C.UTF-8", "PWD": work.path,
      "XDG_CONFIG_HOME": home + "/config", "XDG_STATE_HOME": home + "/state",
      "XDG_CACHE_HOME": home + "/cache", "TMPDIR": root.path,
      // Whoever asks another host than loopback is refused at once.
      "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9",
      "no_proxy": "127.0.0.1,localhost",
    ].merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let output = try handle("stdout")
    let errors = try handle("stderr")
    // Else they stay open to the end of all tests: Foundation keeps processes that have ended.
    defer {
      try? output.close()
      try? errors.close()
    }
    process.standardOutput = output
    process.standardError = errors
    let (ends, continuation) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { ended in
      continuation.yield(ended.terminationStatus)
      continuation.finish()
    }
    try process.run()
    let identifier = process.processIdentifier
    let timer = Task {
      try await Task.sleep(for: timeLimit)
      kill(identifier, SIGKILL)
      return true
    }
    var status: Int32 = -1
    for await end in ends { status = end }
    timer.cancel()
    if (try? await timer.value) == true {
      throw GoldenCaseError("the command did not end within \(timeLimit)")
    }
    return status
  }

  /// Runs `aggregate` with CSV as output and nothing told.
  ///
  /// - Returns: The rows without the header, and the exit code.
  /// - Throws: As ``run(_:program:environment:timeLimit:)`` does.
  public func rows(of command: String) async throws -> (rows: [String], exit: Int32) {
    let exit = try await run(
      ["-c", "aggregate \(command) -q -f csv"], program: Self.builtProgram())
    let lines = try outcome(exit: exit).stdout.split(separator: "\n")
    return (lines.dropFirst().map(String.init), exit)
  }

  /// What the last command wrote, with the marks put back.
  ///
  /// - Throws: What the file system says.
  public func outcome(exit: Int32) throws -> GoldenOutcome {
    func text(_ name: String) throws -> String {
      restored(
        String(
          decoding: try Data(contentsOf: root.appending(path: "output/\(name)")), as: UTF8.self))
    }
    return GoldenOutcome(exit: exit, stdout: try text("stdout"), stderr: try text("stderr"))
  }

  private func handle(_ name: String) throws -> FileHandle {
    let file = root.appending(path: "output/\(name)")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    return try FileHandle(forWritingTo: file)
  }

  /// The binary `aggregate` that was built beside the running tests.
  ///
  /// - Throws: ``GoldenCaseError`` when there is none.
  public static func builtProgram() throws -> URL {
    // On Linux the test bundle is the running program; elsewhere a helper gets its path.
    let paths = CommandLine.arguments + [Bundle.main.executablePath ?? "", Bundle.main.bundlePath]
    for path in paths {
      var folder = URL(filePath: path)
      for _ in 0..<5 where folder.path != "/" {
        folder = folder.deletingLastPathComponent()
        let program = folder.appending(path: "aggregate")
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: program.path, isDirectory: &isFolder)
        if exists && !isFolder.boolValue && folder.path.contains(".build") {
          return program.resolvingSymlinksInPath()
        }
      }
    }
    throw GoldenCaseError("there is no built aggregate beside the tests: swift build")
  }
}
