internal import AggregateCore
internal import AggregateJSON

/// Opens JSON: documents one after the other, or the elements of an array, all streamed.
struct JSONInput {
  let name: String
  let format: String
  let options: InputOptions
  let log: RunLog

  init(_ input: FormatInput) {
    name = input.name
    format = input.format
    options = input.options
    log = input.log
  }

  func open(_ source: any ByteSource, mode: JSONChunker.Mode) async throws -> OpenedInput {
    let stream = JSONChunkStream(
      source, name: name, mode: mode, blockSize: options.blockSize)
    let selection = options.columns.map(ColumnSelection.init)
    let declared = selection?.output ?? options.schema
    let sample =
      declared == nil
      ? try await stream.sample(records: options.sampleRecords, bytes: options.sampleBytes) : nil
    let first: JSONChunker.Chunk?
    if let sample { first = sample.chunk } else { first = try await stream.next() }
    let schema = declared ?? sample?.schema ?? Schema([])
    guard let first else { return .ready(format, schema, []) }
    return OpenedInput(format: format, schema: schema) { demand, emit in
      let rows = JSONRows(schema, selection, demand)
      let ledger = RecordLedger()
      try await emit(
        .deferred {
          var decoded = decode(first, rows, ledger, 0)
          if let sample { decoded.batches = sample.regrouped(decoded.batches) }
          return decoded
        })
      var index = 1
      while let chunk = try await stream.next() {
        let number = index
        try await emit(.deferred { decode(chunk, rows, ledger, number) })
        index += 1
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
      let before = ledger.settledCount(before: index)
      let error = failure.error(recordsBefore: before.map { $0 + count }, in: chunk, of: name)
      count += result.recordCount
      guard options.skipsMalformed, let resume = failure.resume, resume > range.lowerBound,
        resume < range.upperBound || chunk.separator == .whitespace, chunk.separator != .comma
      else {
        decoded.failure = error
        break
      }
      count += 1
      do {
        try log.skipped(records: 1, of: name, first: error, at: chunk.place.byte)
      } catch {
        decoded.failure = error
        break
      }
      range = min(resume, range.upperBound)..<range.upperBound
    }
    ledger.note(count, chunk: index)
    return decoded
  }
}
