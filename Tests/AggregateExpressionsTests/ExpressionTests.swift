import AggregateCore
import AggregateExpressions
import Synchronization
import Testing

@Suite struct ExpressionTests {
  private final class Sink: Sendable {
    let lines = Mutex<[String]>([])
  }

  static func batch(_ rows: [[Value]], _ columns: [ColumnSpec]) -> Batch {
    var builder = BatchBuilder(schema: Schema(columns))
    for row in rows {
      for value in row { builder.append(value) }
      builder.endRow()
    }
    return builder.finish()
  }

  static func values(
    _ text: String, _ batch: Batch, log: RunLog = .silent
  ) throws -> [Value] {
    var diagnostics = Diagnostics()
    let location = SourceLocation(file: "f", line: 3, column: 10, text: "  filter: \(text)")
    let expression = Expression(LocatedText(text, at: location), &diagnostics)
    try diagnostics.throwIfErrors()
    let column = try #require(expression).bind(batch.schema).evaluate(batch, into: "r", log: log)
    return (0..<batch.rowCount).map { column.value(at: $0) }
  }

  private static func diagnostic(
    _ text: String, _ columns: [ColumnSpec] = []
  ) throws -> Diagnostic? {
    do {
      _ = try values(text, batch([], columns))
      return nil
    } catch let error as DiagnosticsError {
      return error.diagnostics.first
    }
  }

  @Test func aMisspeltNameIsFoundAndSuggested() throws {
    let columns = [ColumnSpec("temp", .number), ColumnSpec("city", .text)]
    let unknown = try Self.diagnostic("1 + tmep > 20", columns)
    #expect(unknown?.location?.column == 14)
    #expect(unknown?.hint == "did you mean “temp”?")
    let function = try Self.diagnostic("uper(city)", columns)
    #expect(function?.hint == "did you mean “upper”?")
    #expect(try Self.diagnostic("city + 1", columns)?.location?.column == 10)
    #expect(try Self.diagnostic("round()", columns)?.message.contains("takes 1 to 2") == true)
    #expect(try Self.diagnostic("temp > \"Paris\"", columns)?.hint?.contains("'Paris'") == true)
    #expect(try Self.diagnostic("sum(temp) > 3", columns)?.code == "aggregate")
    #expect(try Self.diagnostic("temp > 'abc'", columns) != nil)
  }

  @Test(arguments: [
    "", "(i > 1", "i j", "i >", "i >< 2", "'abc", "\"\"", "1 < 2 < 3", "case when 1 then 2", "a[1",
    "cast(1 as nonsense)", "1 in ()", "f(1,", "interval 3", "x is 5", "3x", "a ? b",
    String(repeating: "(", count: 5000), String(repeating: "not ", count: 5000) + "a",
    Array(repeating: "1", count: 5000).joined(separator: "+"),
  ])
  func malformedTextIsAMistakeAndNotACrash(text: String) {
    let mistake = Expression.mistake(in: text)
    #expect(mistake != nil)
    #expect((mistake?.offset ?? 0) <= text.count)
  }

  @Test func longIntegersAreComparedExactly() throws {
    let long = [
      "-12345678901234567891", "-12345678901234567890", "-9223372036854775808", "0",
      "9223372036854775807", "9223372036854775808", "12345678901234567890",
      "12345678901234567891", "100000000000000000000",
    ]
    let pairs = long.indices.flatMap { a in long.indices.map { (a, $0) } }
    let batch = Self.batch(
      pairs.map { [.number(long[$0.0]), .number(long[$0.1]), .text(long[$0.0])] },
      [ColumnSpec("a"), ColumnSpec("b"), ColumnSpec("t")])
    let operators: [(String, (Int, Int) -> Bool)] = [
      ("=", { $0 == $1 }), ("<>", { $0 != $1 }), ("<", { $0 < $1 }), (">=", { $0 >= $1 }),
    ]
    for (symbol, holds) in operators {
      let wanted = pairs.map { Value.bool(holds($0.0, $0.1)) }
      #expect(try Self.values("a \(symbol) b", batch) == wanted, "\(symbol)")
      #expect(try Self.values("t \(symbol) b", batch) == wanted, "text \(symbol)")
      for (index, constant) in long.enumerated() {
        let wanted = pairs.map { Value.bool(holds($0.0, index)) }
        #expect(
          try Self.values("a \(symbol) \(constant)", batch) == wanted, "\(symbol) \(constant)")
        #expect(
          try Self.values("t \(symbol) \(constant)", batch) == wanted, "t \(symbol) \(constant)")
        #expect(
          try Self.values("a \(symbol) '\(constant)'", batch) == wanted,
          "\(symbol) '\(constant)'")
      }
    }
    for (index, constant) in long.enumerated() {
      let wanted = pairs.map { Value.bool($0.0 == index) }
      #expect(try Self.values("a in (\(constant), 7)", batch) == wanted, "\(constant)")
      #expect(try Self.values("a in (\(constant), 7, 8, 9, 10, 11)", batch) == wanted)
    }
  }

  @Test func arithmeticOfLongIntegersIsExactOrALoss() throws {
    let sink = Sink()
    let log = RunLog(level: .normal, isStrict: false) { line in
      sink.lines.withLock { $0.append("\(line)") }
    }
    let batch = Self.batch(
      [
        [.number("12345678901234567890"), .text("12345678901234567890")],
        [.number("5"), .text("6")],
      ],
      [ColumnSpec("a"), ColumnSpec("t")])
    for (expression, long, short) in [
      ("a + 1", "12345678901234567891", "6"), ("1 - a", "-12345678901234567889", "-4"),
      ("a * 10", "123456789012345678900", "50"), ("a // 10", "1234567890123456789", "0"),
      ("a % 1000", "890", "5"), ("t + 1", "12345678901234567891", "7"),
      ("a + t", "24691357802469135780", "11"), ("-a", "-12345678901234567890", "-5"),
    ] {
      let values = try Self.values(expression, batch, log: log)
      #expect(values.map(\.displayText) == [long, short], "\(expression)")
    }
    log.reportLosses()
    #expect(sink.lines.withLock { $0 } == [])
    #expect(try Self.values("a * a * a", batch, log: log) == [.null, .number("125")])
    log.reportLosses()
    #expect(sink.lines.withLock { $0 }.joined().contains("integer overflow"))
  }

  @Test func lossesAreCountedAndToldOnce() throws {
    let sink = Sink()
    let log = RunLog(level: .normal, isStrict: false) { line in
      sink.lines.withLock { $0.append("\(line)") }
    }
    let batch = Self.batch(
      [[.text("abc")], [.number("7")], [.text("12")], [.text("x")], [.null]], [ColumnSpec("a")])
    #expect(
      try Self.values("a > 5", batch, log: log)
        == [.null, .bool(true), .bool(true), .null, .null])
    log.reportLosses()
    #expect(
      sink.lines.withLock { $0 }
        == ["warning: column “r”: 2 values became null: not a number, such as “abc”"])
  }

  @Test func branchesThatAreNotTakenLoseNothing() throws {
    let strict = RunLog(level: .quiet, isStrict: true) { _ in }
    let batch = Self.batch(
      [[.int(0)], [.int(2)]], [ColumnSpec("n", .int)])
    #expect(
      try Self.values("case when n = 0 then -1 else 10 // n end", batch, log: strict)
        == [.int(-1), .int(5)])
    #expect(
      try Self.values("n <> 0 and 10 // n > 1", batch, log: strict) == [.bool(false), .bool(true)])
    #expect(try Self.values("coalesce(n, 1 // 0)", batch, log: strict) == [.int(0), .int(2)])
    #expect(try Self.values("try(10 // n)", batch, log: strict) == [.null, .int(5)])
    #expect(throws: AggregateError.self) { try Self.values("10 // n", batch, log: strict) }
  }

  @Test func cellsOfAnyKindKeepTheirNumbers() throws {
    let batch = Self.batch(
      [[.number("7")], [.number("2.5")], [.text("x")]], [ColumnSpec("a")])
    #expect(try Self.values("a + 1", batch) == [.number("8"), .number("3.5"), .null])
    #expect(try Self.values("-a", batch) == [.number("-7"), .number("-2.5"), .null])
    #expect(try Self.values("a = 'x'", batch) == [.bool(false), .bool(false), .bool(true)])
    #expect(try Self.values("a", batch) == [.number("7"), .number("2.5"), .text("x")])
  }

  @Test func listsAreIndexedFromOne() throws {
    let batch = Self.batch(
      [[.json(#"[{"t":"a"},{"t":"b"}]"#)], [.json("[]")], [.null]], [ColumnSpec("l", .json)])
    #expect(try Self.values("l[1].t", batch)[0] == .text("a"))
    #expect(try Self.values("l[2].t", batch)[0] == .text("b"))
    #expect(try Self.values("l[-1].t", batch)[0] == .text("b"))
    #expect(try Self.values("l[3].t", batch).allSatisfy(\.isNull))
    #expect(try Self.values("length(l)", batch) == [.int(2), .int(0), .null])
  }

  @Test func timesAreReadFromText() throws {
    let batch = Self.batch(
      [[.text("2024-03-05T12:20:30+02:00"), .text("2024-03-05")]],
      [ColumnSpec("t", .instant), ColumnSpec("d", .date)])
    #expect(try Self.values("t = '2024-03-05T10:20:30Z'", batch) == [.bool(true)])
    #expect(try Self.values("d > '2024-03-01'", batch) == [.bool(true)])
    #expect(try Self.values("date_diff('hour', d, t)", batch) == [.int(10)])
    #expect(try Self.values("strftime(d, '%d.%m.%Y')", batch) == [.text("05.03.2024")])
    #expect(try Self.values("t - interval 1 day < d", batch) == [.bool(true)])
  }

  @Test(arguments: [1, 2, 3, 7, 1024, 4096])
  func resultsDoNotDependOnBatches(size: Int) throws {
    var rows: [[Value]] = []
    for i in 0..<100 {
      rows.append([
        i % 7 == 0 ? .null : i % 3 == 0 ? .double(Double(i) / 4) : .int(Int64(i)),
        .text(i % 5 == 0 ? "é\(i)" : "t\(i)"),
      ])
    }
    let batch = Self.batch(rows, [ColumnSpec("a"), ColumnSpec("s", .text)])
    for text in [
      "a + 1", "a * 2 > 50 or s like 'é%'", "case when a > 20 then s else a end",
      "coalesce(a, length(s))", "greatest(a, 30)", "upper(s) || a", "round(a, 1)", "abs(a)",
    ] {
      let whole = try Self.values(text, batch)
      var parts: [Value] = []
      for start in stride(from: 0, to: batch.rowCount, by: size) {
        parts += try Self.values(text, batch.sliced(start..<min(start + size, batch.rowCount)))
      }
      #expect(whole.map(\.displayText) == parts.map(\.displayText), "\(text)")
      #expect(whole.map(\.isNull) == parts.map(\.isNull), "\(text)")
    }
  }

  @Test func selectsRows() throws {
    let batch = Self.batch([[.int(1)], [.null], [.int(3)]], [ColumnSpec("n", .int)])
    func rows(_ text: String) throws -> [Int32]? {
      var diagnostics = Diagnostics()
      let location = SourceLocation(file: "f", line: 1, column: 1)
      let expression = try #require(Expression(LocatedText(text, at: location), &diagnostics))
      return try expression.bindCondition(batch.schema)
        .selectedRows(batch, label: "filter", log: .silent)
    }
    #expect(try rows("n > 1") == [2])
    #expect(try rows("true") == nil)
    #expect(try rows("n is null or n < 3") == [0, 1])
    #expect(throws: DiagnosticsError.self) { try rows("'abc'") }
  }
}
