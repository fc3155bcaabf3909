import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

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

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.file(name), encoding: .utf8)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test(arguments: ["real.csv", "sub/../real.csv"])
  func throughALinkItsTargetIsReplaced(_ target: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("sub"), withIntermediateDirectories: true)
    try write("old", to: folder.file("real.csv"))
    try #require(symlink(target, folder.file("second")) == 0)
    try #require(symlink(folder.file("second"), folder.file("first")) == 0)
    try write("new", to: folder.file("first"))
    #expect(try text("real.csv") == "new")
    #expect(try names() == ["first", "real.csv", "second", "sub"])
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("first"))
    #expect(link == folder.file("second"))
  }

  @Test func aLinkToNothingMakesItsTarget() throws {
    try #require(symlink("later.csv", folder.file("link")) == 0)
    try write("new", to: folder.file("link"))
    #expect(try text("later.csv") == "new")
    #expect(try names() == ["later.csv", "link"])
  }

  @Test func linksInACircleAreAnError() throws {
    try #require(symlink("b", folder.file("a")) == 0)
    try #require(symlink("a", folder.file("b")) == 0)
    #expect(throws: AggregateError.self) { try write("x", to: folder.file("a")) }
    #expect(try names() == ["a", "b"])
  }

  /// The name under which it grows can't be known before, so nothing can lie in wait there.
  @Test func twoWritersOfOneFileDoNotMeet() throws {
    let path = folder.file("o")
    let first = try AtomicFile(path)
    let second = try AtomicFile(path)
    let growing = try names()
    #expect(growing.count == 2)
    #expect(!growing.contains(".o.\(getpid()).tmp"))
    _ = try Array("first".utf8).withUnsafeBytes { try first.write($0) }
    _ = try Array("second".utf8).withUnsafeBytes { try second.write($0) }
    try second.commit()
    #expect(try text("o") == "second")
    try first.commit()
    #expect(try text("o") == "first")
    #expect(try names() == ["o"])
  }

  @Test func whatIsNeitherKeptNorThrownAwayGoes() throws {
    do { _ = try AtomicFile(folder.file("o")) }
    #expect(try names() == [])
  }

  @Test func aFileKeepsItsMode() throws {
    let path = folder.file("o")
    try AtomicFile.replace(path, with: "old")
    try #require(chmod(path, 0o640) == 0)
    try AtomicFile.replace(path, with: "new")
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o640)
    let secret = folder.file("secret")
    try Array("s".utf8).withUnsafeBytes { try AtomicFile.replace(secret, with: $0, mode: 0o600) }
    try #require(stat(secret, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
  }

  /// Beyond what is gathered, and a name as long as a file system allows.
  @Test func longFilesAndLongNames() throws {
    let path = folder.file(String(repeating: "é", count: 120))
    let long = String(repeating: "0123456789", count: 20_000)
    try AtomicFile.replace(path, with: long)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == long)
  }

  @Test(arguments: [("", "is a folder"), ("missing/o", "the folder does not exist")])
  func whatCannotBeWrittenIsTold(_ name: String, _ wanted: String) {
    #expect {
      _ = try AtomicFile(folder.file(name))
    } throws: { error in
      let error = error as? AggregateError
      return [error?.message, error?.hint].contains { $0?.contains(wanted) ?? false }
    }
  }
}
