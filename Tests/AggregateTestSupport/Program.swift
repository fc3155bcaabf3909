import Foundation

/// A program of this machine that a test calls.
public struct Program: Sendable {
  /// What it is called by.
  public let name: String

  /// A program by its name.
  public init(_ name: String) { self.name = name }

  /// Whether one of the folders of `PATH` has it.
  public var isInstalled: Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

  /// What it writes to its standard output.
  ///
  /// It reads its input from a file: where it ends early, nothing is left that writes to it.
  ///
  /// - Throws: ``Failure`` when it can't be started or ends with another status than zero.
  public func output(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
    let folder = TemporaryFolder()
    let file = URL(filePath: folder.file("input"))
    try Data(input).write(to: file)
    let reading = try FileHandle(forReadingFrom: file)
    defer { try? reading.close() }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardInput = reading
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Failure(program: name, status: process.terminationStatus)
    }
    return Array(bytes)
  }

  /// A program that did not do what it was called for.
  public struct Failure: Error, CustomStringConvertible {
    let program: String
    let status: Int32

    /// The program and its status.
    public var description: String { "\(program) ended with status \(status)" }
  }
}
