internal import AggregateCore
internal import AggregateJSON

/// Opens JSON: documents one after the other, or the elements of an array, all streamed.
struct JSONInput {
  let name: String
  let format: String
  let options: InputOptions
  let log: RunLog

  /// How long the first chunk may wait for enough records to tell the columns by.
  static let samplePatience = Duration.milliseconds(500)

  func open(_ source: any ByteSource, mode: JSONChunker.Mode) async throws -> OpenedInput {
    let stream = JSONChunkStream(source, mode: mode, blockSize: options.blockSize)
    guard let first = try await stream.next(patience: Self.samplePatience) else {
      return .ready(format, options.schema ?? Schema([]), [])
    }
    let selection = options.columns.map(ColumnSelection.init)
    let schema =
      selection?.output ?? options.schema
      ?? JSONRecordReader.inferSchema(
        first.buffer, in: first.range, separator: first.separator,
        maxRecords: options.sampleRecords
      ).schema
    return OpenedInput(format: format, schema: schema) { demand, emit in
      let rows = JSONRows(schema, selection, demand)
      let ledger = RecordLedger()
      var chunk: JSONChunker.Chunk? = first
      var index = 0
      while let current = chunk {
        let number = index
        try await emit(.deferred { decode(current, rows, ledger, number) })
        index += 1
        chunk = try await stream.next()
      }
    }
  }

  private func decode(
    _ chunk: JSONChunker.Chunk, _ rows: JSONRows, _ ledger: RecordLedger, _ index: Int
  ) -> Decoded {
    var decoded = Decoded(batches: [])
    var range = chunk.range
    var count = 0
    while true {
      let result = rows.reader.read(
        chunk.buffer, in: range, separator: chunk.separator, isLast: true)
      do {
        decoded.batches += try result.batches.map(rows.finished)
      } catch {
        decoded.failure = error
        break
      }
      if let key = result.duplicateKey {
        log.warn("\(name): duplicate key “\(key)”: the last of its values is kept")
      }
      guard let failure = result.failure else {
        count += result.recordCount
        break
      }
      let before = Self.wait { ledger.count(before: index) }
      var error = failure.error(recordsBefore: (before ?? 0) + count, bytesBefore: chunk.offset)
      if before == nil {
        error.message = "a record is not valid JSON: \(failure.reason) at byte "
          + "\(chunk.offset + failure.offset)"
      }
      error.message = "\(name): \(error.message)"
      count += result.recordCount
      guard options.skipsMalformed, let resume = failure.resume, resume > range.lowerBound,
        resume < range.upperBound || chunk.separator == .whitespace, chunk.separator != .comma
      else {
        decoded.failure = error
        break
      }
      count += 1
      do {
        try log.skipped(records: 1, of: name, example: error.message)
      } catch {
        decoded.failure = error
        break
      }
      range = min(resume, range.upperBound)..<range.upperBound
    }
    ledger.note(count, chunk: index)
    return decoded
  }

  /// The value of `body` as soon as it is there; nil after two seconds.
  private static func wait<R>(_ body: () -> R?) -> R? {
    let end = ContinuousClock.now + .seconds(2)
    while true {
      if let value = body() { return value }
      if ContinuousClock.now > end { return nil }
    }
  }
}
