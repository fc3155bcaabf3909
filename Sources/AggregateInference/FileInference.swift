package import AggregateCore
import AggregateFormats
import AggregateJSON
import AggregateRun
import Synchronization

/// Writes a declaration for a file.
package struct FileInference {
  let path: String
  let name: String?
  let log: RunLog

  /// Creates an inference.
  ///
  /// - Parameter name: What the source is called; nil for a name like that of the file.
  package init(path: String, name: String?, log: RunLog) {
    self.path = path
    self.name = name
    self.log = log
  }

  /// The text of the declaration.
  ///
  /// - Throws: ``AggregateError`` when the file can't be read.
  package func declaration() async throws -> String {
    var options = InputOptions()
    let first = try await FileInputs.opener.open(path: path, options, log: log)
    var place: RecordPlace?
    var others: [RecordPlace] = []
    if first.format == "json", let document = try document() {
      let places = RecordFinder.places(in: document.root)
      place = places.first
      others = Array(places.dropFirst().prefix(3))
    }
    // Of a list at the top, the elements are the records anyway.
    let isNested = place.map { $0.path != "$[*]" } ?? false
    if isNested, let text = place?.path { options.records = try? JSONPath(parsing: text) }
    let opened = try await FileInputs.opener.open(path: path, options, log: log)
    let (count, columns) = try await sample(opened)
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let stem = file.prefix { $0 != "." }
    var text = DeclarationText(
      name: name ?? DeclarationText.name(from: String(stem)), origin: path, provider: "file")
    text.add(
      "path", YAMLText.scalar(path),
      "paths begin at the folder that the program is started in; globs are allowed")
    text.add("format", first.format)
    if isNested, let place {
      text.add("records", YAMLText.path(place.path), "\(place.records.count) records")
    }
    for other in others { text.remark("other lists: \(other.path) (\(other.records.count))") }
    text.remark("columns, seen in \(count) record\(count == 1 ? "" : "s"):")
    for column in columns {
      let reading = column.evidence.reading(name: column.name)
      text.remark("  \(column.name): \(column.evidence.comment(reading))")
    }
    let times = columns.compactMap { column -> String? in
      let type = column.evidence.reading(name: column.name).type
      guard type == .date || type == .instant, let type else { return nil }
      return "\(YAMLText.scalar(column.name)): \(type.rawValue)"
    }
    if !times.isEmpty {
      text.remark(
        "to compare times as such: stages: [{ cast: { \(times.joined(separator: ", ")) } }]")
    }
    return text.text
  }

  /// The document of a JSON file; nil when it is compressed or too large to be looked at as a whole.
  private func document() throws -> JSONDocument? {
    let bytes = try TextFile.bytes(path)
    guard bytes.count < 200_000_000,
      let first = bytes.first(where: { $0 > 32 }), "{[\u{FEFF}".utf8.contains(first)
    else { return nil }
    return try? JSONDocument(parsing: ByteBuffer(bytes))
  }

  /// The first rows' columns.
  private func sample(_ opened: OpenedInput) async throws -> (Int, [InferredColumn]) {
    let evidence = Mutex((rows: 0, columns: opened.schema.columns.map { _ in ValueEvidence() }))
    do {
      try await opened.emit { work in
        let batches: [Batch]
        switch work {
        case .batch(let batch): batches = [batch]
        case .deferred(let decode):
          let decoded = decode()
          if let failure = decoded.failure, decoded.batches.isEmpty { throw failure }
          batches = decoded.batches
        }
        let isEnough = evidence.withLock { evidence in
          for batch in batches {
            for row in 0..<min(batch.rowCount, ColumnFinder.sample - evidence.rows) {
              for (index, column) in batch.columns.enumerated() where index < evidence.columns.count
              {
                let value = column.value(at: row)
                evidence.columns[index].note(column.kind(at: row), value.displayText)
              }
              evidence.rows += 1
            }
          }
          return evidence.rows >= ColumnFinder.sample
        }
        if isEnough { throw CancellationError() }
      }
    } catch is CancellationError {
      try Task.checkCancellation()
    }
    let (rows, found) = evidence.withLock { $0 }
    return (
      rows,
      zip(opened.schema.columns, found).compactMap { column, evidence in
        if column.name == Schema.overflowName, evidence.nulls == evidence.seen { return nil }
        return InferredColumn(name: column.name, path: "", evidence: evidence)
      }
    )
  }
}
