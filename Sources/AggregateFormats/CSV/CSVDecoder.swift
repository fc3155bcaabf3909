public import AggregateCore
internal import Synchronization

/// Decodes chunks of CSV records into batches whose cells point into the chunk's bytes.
///
/// Chunks may be decoded side by side; all that they share is the count of records, for messages.
/// A chunk is decoded once. Only what is a number in
/// JSON's form, unquoted, becomes a number; an unquoted empty cell is null, a quoted one empty text.
public final class CSVDecoder: Sendable {
  /// What is done with a record that has the wrong number of cells or a stray quote.
  public enum MalformedPolicy: Sendable {
    /// The decoding ends with an error.
    case fail
    /// The record is left out and counted.
    case skip
  }

  /// How a value that contains a delimiter or a line end is written.
  public enum Syntax: Sendable {
    /// In quotes, as in CSV.
    case quoted
    /// With backslash escapes, as in TSV.
    case escaped
  }

  /// The schema of the rows.
  public let schema: Schema
  /// The name of the input, for messages.
  let name: String
  let dialect: CSVDialect
  let syntax: Syntax
  /// How many cells a record has; the schema may have one column more, for what is over.
  let cellCount: Int
  let policy: MalformedPolicy
  let batchRows: Int
  let log: RunLog
  /// How many records each chunk had, for the number of a malformed one.
  let ledger = RecordLedger()
  /// Set once a doubled quote was met: further chunks are copied at once, to be edited in place.
  let meetsDoubledQuotes = Atomic<Bool>(false)

  /// Creates a decoder of rows under `header`.
  ///
  /// - Parameters:
  ///   - name: The name of the input, for messages.
  ///   - batchRows: How many rows a batch has at most.
  public init(
    header: CSVHeader, dialect: CSVDialect, syntax: Syntax = .quoted, name: String,
    policy: MalformedPolicy = .fail, batchRows: Int = Batch.defaultRowCount, log: RunLog
  ) {
    schema = header.schema(ragged: dialect.allowsRaggedRows)
    cellCount = header.names.count
    self.dialect = dialect
    self.syntax = syntax
    self.name = name
    self.policy = policy
    self.batchRows = max(1, batchRows)
    self.log = log
  }

  /// The rows of `chunk`, up to the first malformed record when those are not skipped.
  ///
  /// - Complexity: O(bytes); the bytes are copied only when a doubled quote or bad UTF-8 is in them.
  public func decode(_ chunk: RecordChunk) -> Decoded {
    if chunk.range.isEmpty {
      ledger.note(0, chunk: chunk.index)
      return Decoded(batches: [])
    }
    let isText = chunk.buffer.withUnsafeBytes {
      UTF8Text.isValid(UnsafeRawBufferPointer(rebasing: $0[chunk.range]))
    }
    if isText { return decodeText(chunk) }
    log.warn(
      "\(name): bytes that are not UTF-8 were replaced by U+FFFD (--encoding says what they are)")
    let repaired = chunk.buffer.withUnsafeBytes {
      UTF8Text.repaired(UnsafeRawBufferPointer(rebasing: $0[chunk.range]))
    }
    return decodeText(
      RecordChunk(
        buffer: repaired, range: 0..<repaired.count, place: chunk.place, index: chunk.index),
      repairedFrom: chunk)
  }

  private func decodeText(_ chunk: RecordChunk, repairedFrom source: RecordChunk? = nil) -> Decoded
  {
    let hasEscapes =
      syntax == .escaped
      && chunk.buffer.withUnsafeBytes {
        UnsafeRawBufferPointer(rebasing: $0[chunk.range])
          .firstIndex(of: UInt8(ascii: "\\"), from: 0) != nil
      }
    if !hasEscapes && !meetsDoubledQuotes.load(ordering: .relaxed) {
      var parser = CSVParser(self, chunk, repairedFrom: source)
      let done = chunk.buffer.withUnsafeBytes { parser.parse($0, editable: nil) }
      if done { return parser.result(buffer: chunk.buffer) }
      meetsDoubledQuotes.store(true, ordering: .relaxed)
    }
    var parser = CSVParser(self, chunk, repairedFrom: source)
    let edited = ByteBuffer(capacity: chunk.range.upperBound) { target in
      chunk.buffer.withUnsafeBytes { source in
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<target.count]))
      }
      // Words are loaded past the end; the buffer clears its padding only when this returns.
      _ = parser.parse(UnsafeRawBufferPointer(target), editable: target)
      return target.count
    }
    return parser.result(buffer: edited)
  }
}
