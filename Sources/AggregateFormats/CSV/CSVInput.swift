internal import AggregateCore

/// Opens CSV or TSV: reads the header, then streams chunks of records.
struct CSVInput {
  let name: String
  let format: String
  let options: InputOptions
  let log: RunLog

  private let source: any ByteSource

  init(_ input: FormatInput) {
    name = input.name
    format = input.format
    options = input.options
    log = input.log
    source = input.source
  }

  private var isTSV: Bool { format == "tsv" }

  func open() async throws -> OpenedInput {
    var dialect = options.dialect
    if isTSV && !options.hasDelimiter { dialect.delimiter = 9 }
    let chunker = CSVChunker(
      source, delimiter: isTSV ? nil : dialect.delimiter, name: name,
      blockSize: options.blockSize)
    guard let first = try await firstRecords(chunker, dialect) else {
      return .ready(format, Schema([]), [])
    }
    let (chunk, record) = first
    if record.isOpen {
      throw AggregateError(
        .badData, "the header has a quote that is never closed, at byte \(chunk.place.byte)",
        hint: "a quote inside a quoted cell is doubled", location: chunk.place.location(in: name))
    }
    let header =
      dialect.hasHeader ? CSVHeader(cells: record.cells) : CSVHeader(count: record.cells.count)
    for duplicate in header.duplicates {
      log.warn("\(name): duplicate column “\(duplicate)” in the header; it was numbered")
    }
    let decoder = CSVDecoder(
      header: header, dialect: dialect, syntax: isTSV ? .escaped : .quoted, name: name,
      policy: options.skipsMalformed ? .skip : .fail, batchRows: options.batchRows, log: log)
    for blank in 0..<chunk.index { decoder.ledger.note(0, chunk: blank) }
    let taking = try options.columns.map {
      try ColumnSelection($0).taken(from: decoder.schema, name: name)
    }
    let schema = options.columns.map { ColumnSelection($0).output } ?? decoder.schema
    @Sendable func decode(_ chunk: RecordChunk) -> Decoded {
      var decoded = decoder.decode(chunk)
      if let taking { decoded.batches = decoded.batches.map(taking) }
      return decoded
    }
    let rest = dialect.hasHeader ? chunk.dropping(upTo: record.end) : chunk
    return OpenedInput(format: format, schema: schema) { _, emit in
      try await emit(.deferred { decode(rest) })
      while let chunk = try await chunker.next() {
        try await emit(.deferred { decode(chunk) })
      }
    }
  }

  /// The first chunk that holds a record, with that record.
  private func firstRecords(
    _ chunker: CSVChunker, _ dialect: CSVDialect
  ) async throws -> (RecordChunk, CSVRecordText.Record)? {
    while let chunk = try await chunker.next() {
      let record = chunk.buffer.withUnsafeBytes {
        CSVRecordText.first(
          $0, chunk.range, delimiter: dialect.delimiter, isQuoting: !isTSV)
      }
      if let record { return (chunk, record) }
    }
    return nil
  }
}
