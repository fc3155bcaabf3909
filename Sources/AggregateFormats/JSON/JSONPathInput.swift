internal import AggregateCore
internal import AggregateJSON
internal import Synchronization

/// Opens JSON of which a JSONPath says what the records are; each document is read as a whole.
struct JSONPathInput {
  let name: String
  let format: String
  let path: JSONPath
  let options: InputOptions
  let log: RunLog

  init(_ input: FormatInput, path: JSONPath) {
    name = input.name
    format = input.format
    options = input.options
    log = input.log
    self.path = path
  }

  private struct Documents {
    let buffer: ByteBuffer
    let records: [Range<Int>]
    let failure: AggregateError?
  }

  func open(_ source: any ByteSource, mode: JSONChunker.Mode) async throws -> OpenedInput {
    let stream = JSONChunkStream(
      source, name: name, mode: mode, blockSize: options.blockSize)
    let selection = options.columns.map(ColumnSelection.init)
    let declared = selection?.output ?? options.schema
    let first =
      declared == nil
      ? try await stream.sample(records: options.sampleRecords, bytes: options.sampleBytes)?.chunk
      : try await stream.next()
    guard let first else { return .ready(format, declared ?? Schema([]), []) }
    let sample = records(in: first)
    let schema = declared ?? inferred(sample)
    return OpenedInput(format: format, schema: schema) { demand, emit in
      let reader = JSONRows(schema, selection, demand)
      let found = Atomic<Bool>(!sample.records.isEmpty)
      try await emit(.deferred { rows(sample, reader) })
      while let chunk = try await stream.next() {
        let documents = records(in: chunk)
        if !documents.records.isEmpty { found.store(true, ordering: .relaxed) }
        try await emit(.deferred { rows(documents, reader) })
      }
      if !found.load(ordering: .relaxed) && sample.failure == nil {
        log.warn("\(name): the records path \(path.text) matches nothing")
      }
    }
  }

  /// The columns of the records that were found, by joining them to documents in a row.
  private func inferred(_ sample: Documents) -> Schema {
    if sample.records.isEmpty { return Schema([]) }
    var joined = ByteBuilder()
    for range in sample.records.prefix(options.sampleRecords) {
      joined.append(sample.buffer, range)
      joined.append(10)
    }
    let buffer = joined.finish()
    return JSONRecordReader.inferSchema(
      buffer, in: 0..<buffer.count, separator: .whitespace, maxRecords: options.sampleRecords
    ).schema
  }

  private func rows(_ documents: Documents, _ reader: JSONRows) -> Decoded {
    do {
      let batch = try reader.finished(
        reader.reader.read(records: documents.records, of: documents.buffer))
      return Decoded(batches: batch.rowCount > 0 ? [batch] : [], failure: documents.failure)
    } catch {
      return Decoded(batches: [], failure: error)
    }
  }

  private func records(in chunk: JSONChunker.Chunk) -> Documents {
    let whole = JSONRecordReader(schema: Schema([ColumnSpec("document")]), paths: [[]])
    let result = whole.read(
      chunk.buffer, in: chunk.range, separator: chunk.separator, isLast: true)
    // Documents are not what is counted as records here.
    var failure = result.failure?.error(recordsBefore: nil, in: chunk, of: name)
    var records: [Range<Int>] = []
    for batch in result.batches {
      guard case .spans(let column) = batch.columns[0] else { continue }
      for cell in column.cells where cell.kind.isNested {
        do {
          let document = try JSONDocument(parsing: chunk.buffer, in: cell.range)
          records += path.nodes(in: document.root).map(\.outerRange)
        } catch {
          failure = AggregateError(.badData, "\(name): \(error)")
        }
      }
    }
    return Documents(buffer: chunk.buffer, records: records, failure: failure)
  }
}
