internal import AggregateCore
internal import AggregateJSON

/// The first records of an input, by which the columns are told.
struct JSONSample {
  /// The records, and maybe others behind them.
  let chunk: JSONChunker.Chunk
  /// The columns of the sampled records; open.
  let schema: Schema
  /// How many records of the chunk were looked at.
  let recordCount: Int

  /// Takes the first `records` records that lie within the first `bytes` bytes, but at least one.
  init(_ chunks: [JSONChunker.Chunk], records: Int, bytes: Int) {
    chunk = Self.joined(chunks)
    let range = chunk.range
    let end = range.count > bytes ? range.lowerBound + max(0, bytes) : range.upperBound
    var found = Self.find(in: chunk, range.lowerBound..<end, records)
    if found.recordCount == 0 { found = Self.find(in: chunk, range, 1) }
    (schema, recordCount) = found
  }

  /// The columns of up to `maximum` records in a range of `chunk`.
  static func find(
    in chunk: JSONChunker.Chunk, _ range: Range<Int>, _ maximum: Int
  ) -> (schema: Schema, recordCount: Int) {
    JSONRecordReader.inferSchema(
      chunk.buffer, in: range, separator: chunk.separator, maxRecords: maximum)
  }

  /// `batches` of the chunk with the sampled rows in one batch, and the others behind them.
  ///
  /// Whoever decides by the first batch decides by the whole sample, and by nothing else.
  func regrouped(_ batches: [Batch]) -> [Batch] {
    var sampled: [Batch] = []
    var rest: [Batch] = []
    var missing = recordCount
    for batch in batches where batch.rowCount > 0 {
      let taken = min(missing, batch.rowCount)
      if taken > 0 { sampled.append(batch.sliced(0..<taken)) }
      if taken < batch.rowCount { rest.append(batch.sliced(taken..<batch.rowCount)) }
      missing -= taken
    }
    guard let first = sampled.first else { return rest }
    return [Batch.joined(sampled, schema: first.schema)] + rest
  }

  /// One chunk; what stood between the chunks is filled, so that offsets stay what they are.
  private static func joined(_ chunks: [JSONChunker.Chunk]) -> JSONChunker.Chunk {
    let first = chunks[0]
    if chunks.count == 1 { return first }
    var place = first.place
    var bytes = ByteBuilder(capacity: chunks.reduce(0) { $0 + $1.range.count + 1 })
    for chunk in chunks {
      // As many bytes and as many lines as stood between the chunks.
      let gap = chunk.place.byte - place.byte
      let lines = chunk.place.line - place.line
      for index in 0..<max(0, gap) {
        let isComma = index == 0 && chunk.separator == .comma
        bytes.append(isComma ? UInt8(ascii: ",") : gap - index <= lines ? 10 : 32)
      }
      bytes.append(chunk.buffer, chunk.range)
      place = chunk.place(at: chunk.range.upperBound)
    }
    let buffer = bytes.finish()
    return JSONChunker.Chunk(
      buffer: buffer, range: 0..<buffer.count, separator: first.separator, place: first.place)
  }
}
