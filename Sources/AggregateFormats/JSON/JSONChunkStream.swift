internal import AggregateCore
internal import AggregateJSON

/// Cuts the bytes of a source into chunks of whole JSON records.
actor JSONChunkStream {
  private let source: any ByteSource
  private let name: String
  private let blockSize: Int
  private var chunker: JSONChunker
  private var isLast = false
  private var isPaused = false
  /// What went wrong behind a sample that is handed out first.
  private var failure: (any Error)?

  /// Creates a stream of the input called `name` in messages.
  init(_ source: any ByteSource, name: String, mode: JSONChunker.Mode, blockSize: Int) {
    self.source = source
    self.name = name
    self.blockSize = blockSize
    chunker = JSONChunker(mode: mode, targetSize: blockSize)
  }

  /// The next chunk; nil after the last.
  func next() async throws -> JSONChunker.Chunk? {
    if let failure { throw failure }
    while true {
      if let chunk = try cut() { return chunk }
      if isLast { return nil }
      let block = try await source.read(behind: .none, maximum: blockSize, patience: .zero)
      block.buffer.withUnsafeBytes { chunker.append($0) }
      isPaused = block.buffer.count < blockSize
      isLast = block.isLast
      if isLast { chunker.finish() }
    }
  }

  /// The next chunk of what is there; an error of the array around the records names the input.
  private func cut() throws -> JSONChunker.Chunk? {
    do {
      return try chunker.next(isEager: isPaused)
    } catch var error as AggregateError {
      error.location?.file = name
      throw error
    }
  }

  /// The first chunk, of at least as many records or bytes where the input has as many, and what was
  /// found in exactly those.
  ///
  /// However the bytes arrive, the sample is the same: it waits for them as long as it takes.
  func sample(records: Int, bytes: Int) async throws -> JSONSample? {
    var chunks: [JSONChunker.Chunk] = []
    var count = 0
    var size = 0
    do {
      while count < records && size < bytes, let chunk = try await next() {
        count += JSONSample.find(in: chunk, chunk.range, records - count).recordCount
        size += chunk.range.count
        chunks.append(chunk)
      }
    } catch {
      if chunks.isEmpty { throw error }
      failure = error
    }
    return chunks.isEmpty ? nil : JSONSample(chunks, records: records, bytes: bytes)
  }
}
