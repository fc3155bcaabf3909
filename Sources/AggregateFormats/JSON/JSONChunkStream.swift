internal import AggregateCore
internal import AggregateJSON

/// Cuts the bytes of a source into chunks of whole JSON records.
actor JSONChunkStream {
  private let source: any ByteSource
  private let blockSize: Int
  private var chunker: JSONChunker
  private var isLast = false
  private var isPaused = false

  init(_ source: any ByteSource, mode: JSONChunker.Mode, blockSize: Int) {
    self.source = source
    self.blockSize = blockSize
    chunker = JSONChunker(mode: mode, targetSize: blockSize)
  }

  /// The next chunk; nil after the last.
  ///
  /// - Parameter patience: How long to wait for a full chunk once something is there.
  func next(patience: Duration = .zero) async throws -> JSONChunker.Chunk? {
    while true {
      if let chunk = try chunker.next(isEager: isPaused) { return chunk }
      if isLast { return nil }
      let block = try await source.read(behind: .none, maximum: blockSize, patience: patience)
      block.buffer.withUnsafeBytes { chunker.append($0) }
      isPaused = block.buffer.count < blockSize
      isLast = block.isLast
      if isLast { chunker.finish() }
    }
  }
}
