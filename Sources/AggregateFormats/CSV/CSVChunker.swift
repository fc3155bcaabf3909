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
  private var line = 1
  private var offset = 0
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
            .badData,
            "\(name), line \(line): a record is longer than \(Self.maximumRecord) bytes",
            hint: "a quote that is never closed makes the rest of a file one record")
        }
        rest = RestOfBlock(buffer, 0..<buffer.count)
        wanted = min(max(blockSize, buffer.count), Self.maximumRecord)
        continue
      }
      rest = RestOfBlock(buffer, end..<buffer.count)
      let isMarked = isFirst && buffer.withUnsafeBytes { $0.starts(with: [0xEF, 0xBB, 0xBF]) }
      let chunk = RecordChunk(
        buffer: buffer, range: (isMarked ? 3 : 0)..<end, firstLine: line, byteOffset: offset)
      isFirst = false
      line += buffer.withUnsafeBytes { Self.lineCount($0, 0..<end) }
      offset += end
      if !chunk.range.isEmpty { return chunk }
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

  /// How many lines end in `range`; CR counts where there is no LF.
  static func lineCount(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    let feeds = bytes.occurrences(of: 10, in: range)
    return feeds > 0 ? feeds : bytes.occurrences(of: 13, in: range)
  }
}
