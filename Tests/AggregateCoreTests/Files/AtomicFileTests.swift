import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateCLI

@Suite struct AtomicFileTests {
  private let folder = TemporaryFolder()

  private func write(_ text: String, to path: String, commits: Bool = true) throws {
    let file = try AtomicFile(path)
    _ = try Array(text.utf8).withUnsafeBytes { try file.write($0) }
    if commits { try file.commit() } else { file.discard() }
  }

  @Test func aFileIsReplacedOnlyWhenItIsComplete() throws {
    let path = folder.file("out.csv")
    try write("old", to: path)
    try write("new", to: path, commits: false)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try write("new", to: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.csv"])
  }

  /// As `/dev/null` is, where a file that takes its place would spoil the machine.
  @Test(arguments: [true, false])
  func whatIsNoRegularFileIsWrittenToAndStays(commits: Bool) throws {
    let path = folder.file("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try write("a,b\n", to: path, commits: commits)
    var status = stat()
    try #require(lstat(path, &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFIFO)
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = read(reader, &bytes, bytes.count)
    #expect(
      String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == (commits ? "a,b\n" : ""))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
  }
}
