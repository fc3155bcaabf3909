public import AggregateCore

/// What a writer does that no writer may do.
public struct WriterMistake: Error, CustomStringConvertible {
  /// What it did.
  public let description: String

  /// Creates a mistake.
  public init(_ description: String) { self.description = description }
}

/// Rows that hold every kind of value, in every representation that a column may have.
public enum WriterRows {
  /// The batch; texts have all that some format must quote or escape.
  public static let everyKind: Batch = {
    let texts: [Value] = [
      "plain", "", "a,b;c\td|e", "say \"hi\" 'there'", "two\nlines\r\nthree", "<b>&amp;</b>",
      "Łódź – 東京 🌍", " spaces ", "null", "012", "-", "\\n {x} `y` *z* _w_", "=1+1", nil, .absent,
    ]
    let values: [Value] = [
      1, -7, .number("1.10"), .number("1E5"), .number("-0"),
      .number("123456789012345678901234567890"),
      .number("1e400"), true, false, .json("[1,\"a\",null]"), .json("{\"x\":{\"y\":[]}}"), "text",
      0.5,
      nil, .absent,
    ]
    let count = texts.count
    let flags = (0..<count).map { $0 % 5 == 3 }
    var spans = BatchBuilder(schema: Schema([ColumnSpec("text"), ColumnSpec("any, \"value\"")]))
    for row in 0..<count {
      spans.append(texts[row])
      spans.append(values[row])
      spans.endRow()
    }
    let read = spans.finish()
    let schema = Schema([
      ColumnSpec("text", .text), ColumnSpec("any, \"value\""), ColumnSpec("int", .int),
      ColumnSpec("number", .number), ColumnSpec("flag", .bool), ColumnSpec("time", .instant),
      ColumnSpec("day", .date), ColumnSpec("escaped"), ColumnSpec("nothing"),
    ])
    let bytes = ByteBuffer(#"a\"b\u00e9\n"#)
    let escaped = Cell(.escapedText, offset: 0, length: bytes.count)
    var ints: [Int64] = []
    var doubles: [Double] = []
    var bools: [Bool] = []
    var instants: [Instant] = []
    var dates: [CalendarDate] = []
    for row in 0..<count {
      ints.append(Int64(row - 3) * 1_000_000_007)
      doubles.append(Double(row) / 8 - 1e-7)
      bools.append(row % 2 == 0)
      instants.append(Instant(microseconds: Int64(row) * 1_234_567_891_011))
      dates.append(CalendarDate(days: Int32(row) * 400 - 800))
    }
    let repeated = SpanColumn(buffer: bytes, cells: Array(repeating: escaped, count: count))
    let columns: [Column] = [
      read.columns[0], read.columns[1], .ints(Vector(ints, nulls: flags)),
      .doubles(Vector(doubles, nulls: flags)), .bools(Vector(bools, nulls: flags)),
      .instants(Vector(instants, nulls: flags)), .dates(Vector(dates, nulls: flags)),
      .spans(repeated), .nulls(count),
    ]
    return Batch(schema: schema, columns: columns, rowCount: count)
  }()
}

/// Checks the laws that every writer obeys.
///
/// How rows are cut into batches does not show; batches without rows do not show; where the cells of a
/// batch lie does not show; no rows at all are a whole output; the output is UTF-8 and the same each time.
///
/// - Parameters:
///   - name: What the format is called in messages.
///   - make: Makes a writer for one output.
/// - Returns: The output.
/// - Throws: ``WriterMistake`` for a law that does not hold, and what the writer throws.
@discardableResult
public func checkWriter(
  _ name: String, _ batch: Batch, isText: Bool = true, _ make: () throws -> any Writer
) throws -> [UInt8] {
  func written(_ parts: [Batch]) throws -> [UInt8] {
    let writer = try make()
    var out = ByteBuilder()
    try writer.begin(batch.schema, into: &out)
    for part in parts { try writer.write(part, into: &out) }
    try writer.finish(into: &out)
    return out.copy()
  }
  func expect(_ parts: [Batch], _ expected: [UInt8], _ what: String) throws {
    let found = try written(parts)
    guard found == expected else {
      throw WriterMistake(
        "\(name): \(what) gives other bytes:\n\(String(decoding: found, as: UTF8.self))\n--- not\n"
          + String(decoding: expected, as: UTF8.self))
    }
  }
  let whole = try written([batch])
  try expect([batch], whole, "a second time")
  for size in [1, 2, 3, 7, 1024] {
    try expect(TestRows.parts(batch, of: size), whole, "batches of \(size)")
  }
  let empty = batch.sliced(0..<0)
  try expect([empty, batch, empty], whole, "an empty batch before and behind")
  let half = batch.rowCount / 2
  try expect(
    [batch.sliced(0..<half), empty, batch.sliced(half..<batch.rowCount)], whole,
    "an empty batch between")
  let reversed = (0..<Int32(batch.rowCount)).reversed().map { $0 }
  try expect([batch.gathered(reversed).gathered(reversed)], whole, "rows in another place")
  let nothing = try written([])
  try expect([empty], nothing, "an empty batch alone")
  if isText, String(validating: whole, as: UTF8.self) == nil {
    throw WriterMistake("\(name): the output is not UTF-8")
  }
  return whole
}

/// Checks the laws that every encoder obeys: those of ``checkWriter(_:_:isText:_:)``, with batches encoded on
/// their own and put together, and a separator of constant length before each row.
///
/// - Throws: ``WriterMistake`` for a law that does not hold, and what the encoder throws.
@discardableResult
public func checkEncoder(
  _ name: String, _ batch: Batch, _ encoder: any BatchEncoder
) throws -> [UInt8] {
  try checkWriter(name, batch) { Assembly(encoder) }
}

/// Puts encoded batches together as the output of a run does.
private final class Assembly: Writer {
  private let encoder: any BatchEncoder
  private var rowCount = 0

  init(_ encoder: any BatchEncoder) { self.encoder = encoder }

  func begin(_ schema: Schema, into out: inout ByteBuilder) throws {
    out.append(try encoder.prologue(schema))
  }

  func write(_ batch: Batch, into out: inout ByteBuilder) throws {
    var bytes = ByteBuilder()
    try encoder.encode(batch, into: &bytes)
    if batch.rowCount == 0 {
      guard bytes.count == 0 else { throw WriterMistake("no rows are encoded as bytes") }
      return
    }
    let skipped = rowCount == 0 ? encoder.separatorLength : 0
    out.append(Array(bytes.copy().dropFirst(skipped)))
    rowCount += batch.rowCount
  }

  func finish(into out: inout ByteBuilder) throws {
    out.append(encoder.epilogue(isEmpty: rowCount == 0))
  }
}
