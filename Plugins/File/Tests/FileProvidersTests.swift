import AggregateCore
import AggregateTestSupport
import AggregateFile
import AggregateFormats
import AggregateTestSupport
import Foundation
import Synchronization
import Testing

private struct NoNetwork: HTTPClient {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw AggregateError(.internal, "a file needs no network")
  }
}

@Suite struct FileProvidersTests {
  /// A folder with these files, removed when the test is over.
  private func withFolder(
    _ files: [String: String], _ body: (String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    try await body(folder.path)
  }

  private static let place = SourceLocation(file: "test", line: 1, column: 1)

  private static func node(_ text: String) -> Node { .text(text, at: place, plain: true) }

  private static func mapping(_ entries: [(String, Node)]) -> Node {
    Node(
      .mapping(entries.map { Node.Entry(key: $0.0, location: place, value: $0.1) }), at: place)
  }

  /// The rows of a source as CSV.
  private func run<P: Provider>(
    _ type: P.Type, _ entries: [(String, Node)], input: Int32 = -1,
    demand: ColumnDemand = .all, log: RunLog = .silent
  ) async throws -> String {
    var diagnostics = Diagnostics()
    let node = Self.mapping(entries)
    let specs = P.spec.options + [OptionSpec("timeout", .any, "")]
    Shape.object(specs).check(node, name: P.spec.name, into: &diagnostics)
    try diagnostics.throwIfErrors()
    let provider = P(Options(node, specs: specs), &diagnostics)
    try diagnostics.throwIfErrors()
    let schema = Mutex<Schema?>(nil)
    let batches = Mutex<[Batch]>([])
    let context = ProviderContext(
      source: "test", http: NoNetwork(), log: log, jobs: 1, standardInput: input,
      publish: { published in
        schema.withLock { $0 = published }
        return demand
      },
      emit: { work in
        let decoded: Decoded
        switch work {
        case .batch(let batch): decoded = Decoded(batches: [batch])
        case .deferred(let decode): decoded = decode()
        }
        batches.withLock { $0 += decoded.batches }
        if let failure = decoded.failure { throw failure }
      })
    try await provider.rows(context)
    let found = batches.withLock { $0 }
    let encoder = CSVEncoder()
    var out = ByteBuilder()
    let header = try #require(found.first?.schema ?? schema.withLock { $0 })
    out.append(try encoder.prologue(header))
    for batch in found { try encoder.encode(batch, into: &out) }
    return String(decoding: out.copy(), as: UTF8.self)
  }

  @Test func filesOfAGlobAreOneTableInOrderOfTheirNames() async throws {
    try await withFolder(["b.csv": "b,a\ny,2\n", "a.csv": "a,b\n1,x\n", "c.txt": "no\n"]) {
      folder async throws -> Void in
      let text = try await run(FileProvider.self, [("path", Self.node("\(folder)/*.csv"))])
      #expect(text == "a,b\n1,x\n2,y\n")
    }
  }

  @Test func nestedFilesAreUnitedByTheirKeys() async throws {
    try await withFolder(["a.ndjson": "{\"a\":1}\n", "b.json": "[{\"b\":2,\"a\":3}]"]) {
      folder async throws -> Void in
      let entries = [("path", Self.node("\(folder)/*"))]
      #expect(try await run(FileProvider.self, entries) == "a,b,_extra\n1,,\n3,2,\n")
      let demand = ColumnDemand.paths([ColumnPath(["b"]), ColumnPath(["a"])])
      #expect(try await run(FileProvider.self, entries, demand: demand) == "b,a\n,1\n2,3\n")
    }
  }

  @Test func recordsAndColumnsAreTaken() async throws {
    let text = "{\"data\":[{\"a\":{\"b\":1},\"l\":[{\"x\":5},{\"x\":6}]},{\"a\":{}}]}"
    try await withFolder(["in.json": text, "in.csv": "x,y z\n1,2\n"]) {
      folder async throws -> Void in
      let columns = Self.mapping([("z", Self.node("$.a.b")), ("w", Self.node("a.b"))])
      let entries = [
        ("path", Self.node("\(folder)/in.json")), ("records", Self.node("$.data[*]")),
      ]
      #expect(
        try await run(FileProvider.self, entries + [("columns", columns)]) == "z,w\n1,1\n,\n")
      let searched = Self.mapping([("xs", Self.node("$.l[*].x")), ("b", Self.node("a.b"))])
      #expect(
        try await run(FileProvider.self, entries + [("columns", searched)])
          == "xs,b\n\"[5,6]\",1\n[],\n")
      let csv = Self.mapping([("c", Self.node("y z")), ("d", Self.node("$.x"))])
      #expect(
        try await run(
          FileProvider.self, [("path", Self.node("\(folder)/in.csv")), ("columns", csv)])
          == "c,d\n2,1\n")
    }
  }

  @Test func missingFilesAreNamed() async throws {
    for path in ["/nowhere/*.csv", "/nowhere/in.csv"] {
      await #expect {
        _ = try await run(FileProvider.self, [("path", Self.node(path))])
      } throws: { "\($0)".contains(path) }
    }
  }

  @Test func feedsAndXMLAreRead() async throws {
    let rss = """
      <?xml version="1.0"?><rss version="2.0"><channel><title>T</title>
      <item><title>Item A</title><link>http://x/a</link></item></channel></rss>
      """
    try await withFolder(["feed.xml": rss, "x.xml": "<r><b><t>1</t></b><b><t>2</t></b></r>"]) {
      folder async throws -> Void in
      let feed = try await run(FileProvider.self, [("path", Self.node("\(folder)/feed.xml"))])
      #expect(feed.hasPrefix("title,") && feed.contains("Item A"))
      let xml = try await run(
        FileProvider.self,
        [("path", Self.node("\(folder)/x.xml")), ("records", Self.node("$..b[*]"))])
      #expect(xml == "t,_extra\n1,\n2,\n")
    }
  }

  @Test func wordsOfACommandAreNotSplitAgain() async throws {
    let words = ["printf", "%s\\n", "a", "1 2; echo 3"].map(Self.node)
    let entries = [
      ("run", Node(.sequence(words), at: Self.place)), ("format", Self.node("csv")),
    ]
    #expect(try await run(CommandProvider.self, entries) == "a\n1 2; echo 3\n")
  }

  @Test func commandsThatFailSaySo() async throws {
    for (words, message) in [
      (["no-such-program-xyz"], "no-such-program-xyz"),
      (["sh", "-c", "echo a; exit 3"], "status 3"), (["sh", "-c", "kill -9 $$"], "signal 9"),
    ] {
      let entries = [("run", Node(.sequence(words.map(Self.node)), at: Self.place))]
      await #expect {
        _ = try await run(CommandProvider.self, entries)
      } throws: { "\($0)".contains(message) }
    }
  }

  @Test(.timeLimit(.minutes(1))) func cancellingEndsTheCommand() async throws {
    let folder = TemporaryFolder()
    let file = folder.file("pid")
    let words = ["sh", "-c", "echo $$ >'\(file)'; echo a; exec sleep 300"].map(Self.node)
    let task = Task {
      try await run(CommandProvider.self, [("run", Node(.sequence(words), at: Self.place))])
    }
    var identifier: Int32?
    while identifier == nil {
      try await Task.sleep(for: .milliseconds(20))
      identifier = (try? String(contentsOfFile: file, encoding: .utf8))
        .flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
    let program = try #require(identifier)
    // Zero says that it still runs; else it has ended, or the provider knows of its end already.
    var status: Int32 = 0
    while waitpid(program, &status, WNOHANG) == 0 { try await Task.sleep(for: .milliseconds(20)) }
  }

  @Test(
    .timeLimit(.minutes(1)), arguments: ["sleep 30", "trap '' TERM; sleep 30", "sleep 30 & wait"])
  func aCommandThatRunsTooLongIsEnded(_ script: String) async throws {
    let entries = [
      ("run", Node(.sequence(["sh", "-c", "echo a; " + script].map(Self.node)), at: Self.place)),
      ("timeout", Self.node("500ms")),
    ]
    let clock = ContinuousClock()
    let start = clock.now
    await #expect {
      _ = try await run(CommandProvider.self, entries)
    } throws: { "\($0)".contains("sh ran longer than 0.5 seconds") }
    // Less than the program would take, however busy the machine is with other tests.
    #expect(clock.now - start < .seconds(25))
  }

  @Test func whatACommandSaysGoesToTheLog() async throws {
    let lines = Mutex<[String]>([])
    let log = RunLog(level: .normal, isStrict: false) { line in
      lines.withLock { $0.append("\(line)") }
    }
    let words = ["sh", "-c", "echo a; echo one >&2; echo 1; printf two >&2"].map(Self.node)
    let entries = [("run", Node(.sequence(words), at: Self.place))]
    #expect(try await run(CommandProvider.self, entries, log: log) == "a\n1\n")
    #expect(lines.withLock { $0 } == ["one", "two"])
  }

  @Test func standardInputIsRead() async throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("{\"a\":1}\n{\"a\":2}\n".utf8))
    try pipe.fileHandleForWriting.close()
    let text = try await run(
      StdinProvider.self, [], input: pipe.fileHandleForReading.fileDescriptor)
    #expect(text == "a,_extra\n1,\n2,\n")
  }

  @Test func specsAreComplete() {
    for spec in [FileProvider.spec, StdinProvider.spec, CommandProvider.spec] {
      #expect(!spec.summary.isEmpty && !spec.example.isEmpty)
      #expect(Set(spec.options.map(\.name)).count == spec.options.count)
      #expect(spec.options.allSatisfy { !$0.summary.isEmpty && $0.summary.utf8.count <= 150 })
    }
  }
}
