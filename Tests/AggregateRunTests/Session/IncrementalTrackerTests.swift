import AggregateCore
import AggregateState
import Testing

@testable import AggregateRun
@testable import AggregateConfig

@Suite struct IncrementalTrackerTests {
  private let database = StateDatabase(path: ":memory:")
  private let scope = StateScope(config: "/c.yaml", source: "s")

  /// The cursors of one run of a source with these options, written as YAML's flow style.
  private func run(_ pairs: [(String, String)]) throws -> IncrementalTracker {
    let place = SourceLocation(file: "c.yaml", line: 1, column: 1)
    let options = pairs.map { name, value in
      Node.Entry(key: name, location: place, value: .text(value, at: place))
    }
    let incremental = Node(.mapping(options), at: place)
    let source = Node(
      .mapping([Node.Entry(key: "incremental", location: place, value: incremental)]), at: place)
    var diagnostics = Diagnostics()
    let loaded = SourceOptions(source, in: nil, &diagnostics).incremental
    return IncrementalTracker(
      try #require(loaded), scope: scope, database: database, log: .silent)
  }

  private let declared = [
    ("cursor", "at"), ("query", "since"), ("start", "2024-01-01"), ("key", "id"),
  ]

  private func batch(_ rows: [(Int, String?)]) -> Batch {
    var builder = BatchBuilder(
      schema: Schema([ColumnSpec("id", .int), ColumnSpec("at", .instant)]))
    for (id, at) in rows {
      builder.append(id)
      builder.append(at)
      builder.endRow()
    }
    return builder.finish()
  }

  /// The ids of the rows that a run gives; its cursor is saved.
  private func ids(
    _ options: [(String, String)], _ rows: [(Int, String?)], size: Int = 1024, saves: Bool = true,
    part: String = ""
  ) throws -> [String] {
    let tracker = try run(options)
    var found: [String] = []
    _ = try #require(try tracker.window(after: nil, of: part))
    for start in stride(from: 0, to: rows.count, by: size) {
      let rows = Array(rows[start..<min(rows.count, start + size)])
      let admitted = try tracker.admit(batch(rows), of: part, dropsOlder: false)
      found += (0..<admitted.rowCount).map { admitted.columns[0].value(at: $0).displayText }
    }
    if saves { tracker.finish(part) }
    try tracker.save(isWhole: true)
    return found
  }

  private func since(_ options: [(String, String)], part: String = "") throws -> String? {
    try run(options).window(after: nil, of: part)?.since
  }

  private let first: [(Int, String?)] = [
    (1, "2024-01-01T00:00:00Z"), (2, "2024-01-03T12:00:00Z"), (3, "2024-01-03T12:00:00Z"),
    (4, nil),
  ]

  @Test(arguments: [1, 2, 3, 7, 1024])
  func boundaryRowsAreGivenOnce(_ size: Int) throws {
    #expect(try since(declared) == "2024-01-01T00:00:00Z")
    #expect(try ids(declared, first, size: size) == ["1", "2", "3", "4"])
    #expect(try since(declared) == "2024-01-03T12:00:00Z")
    let later: [(Int, String?)] = [
      (2, "2024-01-03T12:00:00Z"), (5, "2024-01-03T12:00:00Z"), (3, "2024-01-03T12:00:00Z"),
      (6, "2024-01-04T00:00:00Z"),
    ]
    #expect(try ids(declared, later, size: size) == ["5", "6"])
    #expect(try since(declared) == "2024-01-04T00:00:00Z")
  }

  @Test func rowsWithinTheLagAreGivenOnce() throws {
    let options = declared + [("lag", "3d")]
    #expect(try ids(options, first) == ["1", "2", "3", "4"])
    // The lag does not lead to before the start.
    #expect(try since(options) == "2024-01-01T00:00:00Z")
    let later: [(Int, String?)] = [
      (1, "2024-01-01T00:00:00Z"), (7, "2024-01-02T00:00:00Z"), (2, "2024-01-03T12:00:00Z"),
      (2, "2024-01-03T13:00:00Z"),
    ]
    #expect(try ids(options, later) == ["7", "2"])
  }

  @Test func formatThatCutsTheTimeMakesTheBoundaryWider() throws {
    let options = declared + [("format", "%Y-%m-%d")]
    #expect(
      try ids(options, [(1, "2024-01-03T01:00:00Z"), (2, "2024-01-03T12:00:00Z")]) == ["1", "2"])
    #expect(try since(options) == "2024-01-03")
    #expect(
      try ids(
        options,
        [(1, "2024-01-03T01:00:00Z"), (2, "2024-01-03T12:00:00Z"), (3, "2024-01-03T13:00:00Z")])
        == ["3"])
  }

  @Test func cursorStaysWhenTheSourceWasNotReadToItsEnd() throws {
    #expect(try ids(declared, first, saves: false).count == 4)
    #expect(try since(declared) == "2024-01-01T00:00:00Z")
    #expect(try ids(declared, first).count == 4)
  }

  @Test func equalRowsOfARunAreKeptWithoutAKey() throws {
    let options = [("cursor", "at"), ("query", "since")]
    let rows: [(Int, String?)] = [(1, "2024-01-01T00:00:00Z"), (1, "2024-01-01T00:00:00Z")]
    #expect(try ids(options, rows) == ["1", "1"])
    #expect(try ids(options, rows) == [])
  }

  @Test func partsHaveCursorsOfTheirOwn() throws {
    #expect(try ids(declared, first, part: "p=x").count == 4)
    #expect(try since(declared, part: "p=x") == "2024-01-03T12:00:00Z")
    #expect(try since(declared, part: "p=y") == "2024-01-01T00:00:00Z")
  }

  @Test func windowsLeaveNoGap() throws {
    let tracker = try run(declared + [("step", "30d"), ("until_query", "until")])
    var windows: [Window] = []
    while let next = try tracker.window(after: windows.last, of: "") { windows.append(next) }
    #expect(windows[0].query.map(\.value) == ["2024-01-01T00:00:00Z", "2024-01-31T00:00:00Z"])
    #expect(zip(windows, windows.dropFirst()).allSatisfy { $0.until == $1.since })
    let last = try #require(windows.last?.until.flatMap { Instant(iso8601: $0) })
    #expect(last >= Instant.now)
  }

  @Test func sourceThatCannotBeAskedIsFiltered() throws {
    let options = [("cursor", "at")]
    #expect(try ids(options, first).count == 4)
    let tracker = try run(options)
    let admitted = try tracker.admit(
      batch(first + [(9, "2024-02-01T00:00:00Z")]), of: "", dropsOlder: true)
    #expect((0..<admitted.rowCount).map { admitted.row($0)[0].displayText } == ["4", "9"])
  }

  @Test func columnThatDoesNotExistIsAnError() throws {
    let tracker = try run([("cursor", "when")])
    _ = try #require(try tracker.window(after: nil, of: ""))
    #expect(throws: DiagnosticsError.self) {
      try tracker.admit(batch(first), of: "", dropsOlder: false)
    }
  }

  @Test func aPlanSaysWhereTheNextRunBegins() throws {
    let options = declared + [("lag", "1h")]
    #expect(try run(options).standings().isEmpty)
    #expect(try run(options).start == "2024-01-01T00:00:00Z")
    _ = try ids(options, [(1, "2024-02-01T12:00:00Z")], part: "p=b")
    _ = try ids(options, [(1, "2024-01-01T00:30:00Z")], part: "p=a")
    let standings = try run(options).standings()
    #expect(standings.map(\.partition) == ["p=a", "p=b"])
    #expect(standings.map(\.value) == ["2024-01-01T00:30:00Z", "2024-02-01T12:00:00Z"])
    #expect(standings.map(\.next) == ["2024-01-01T00:00:00Z", "2024-02-01T11:00:00Z"])
  }
}
