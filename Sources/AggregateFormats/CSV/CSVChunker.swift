internal import AggregateCore

/// Cuts the bytes of a source into chunks of whole CSV (or TSV) records.
actor CSVChunker {
  /// The longest single record, in bytes: what a cell can hold.
  static let maximumRecord = Cell.maximumLength

  private let source: any ByteSource
  private let boundary: CSVBoundary?
  private let name: String
  private let blockSize: Int
  private var rest = RestOfBlock.none
  private var place = TextPlace()
  private var count = 0
  private var isFirst = true
  private var isOver = false

  /// Creates a chunker.
  ///
  /// - Parameters:
  ///   - delimiter: The delimiter where quotes hide line ends; nil where a line is a record.
  ///   - blockSize: How many bytes are read at once.
  init(_ source: any ByteSource, delimiter: UInt8?, name: String, blockSize: Int) {
    self.source = source
    boundary = delimiter.map { CSVBoundary(delimiter: $0) }
    self.name = name
    self.blockSize = max(1, blockSize)
  }

  /// The next chunk, never empty; nil after the last.
  func next(patience: Duration = .zero) async throws -> RecordChunk? {
    var wanted = blockSize
    while !isOver {
      let block = try await source.read(
        behind: rest, maximum: wanted, patience: patience)
      let buffer = block.buffer
      let end = buffer.withUnsafeBytes { bytes in
        block.isLast ? bytes.count : recordEnd(bytes)
      }
      isOver = block.isLast
      if end == 0 && !block.isLast {
        if buffer.count >= Self.maximumRecord {
          throw AggregateError(
            .limit,
            "the record is longer than \(Self.maximumRecord) bytes, at byte \(place.byte)",
            hint: "a quote that is never closed makes the rest of a file one record",
            location: place.location(in: name))
        }
        rest = RestOfBlock(buffer, 0..<buffer.count)
        // A block beyond the maximum could end with a cell that is longer than a cell can be.
        wanted = min(max(blockSize, buffer.count), Self.maximumRecord - buffer.count)
        continue
      }
      rest = RestOfBlock(buffer, end..<buffer.count)
      let isMarked = isFirst && buffer.withUnsafeBytes { $0.starts(with: [0xEF, 0xBB, 0xBF]) }
      if isMarked { place.byte = 3 }
      let range = (isMarked ? 3 : 0)..<end
      let chunk = RecordChunk(buffer: buffer, range: range, place: place, index: count)
      isFirst = false
      buffer.withUnsafeBytes { place.advance(over: $0, in: range) }
      if !range.isEmpty {
        count += 1
        return chunk
      }
    }
    return nil
  }

  private func recordEnd(_ bytes: UnsafeRawBufferPointer) -> Int {
    // A byte order mark is judged as a whole.
    if isFirst && bytes.count < 4 { return 0 }
    let start = isFirst && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    if let boundary {
      let end = boundary.lastRecordEnd(in: bytes, from: start)
      return end > start ? end : 0
    }
    return bytes.lastIndex(of: 10, in: start..<bytes.count).map { $0 + 1 } ?? 0
  }
}
