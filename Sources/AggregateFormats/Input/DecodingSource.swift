internal import AggregateCore

/// The decompressed bytes of another source.
///
/// Used by one task at a time, as ``ByteSource`` asks; that is what makes it sendable.
final class DecodingSource: ByteSource, @unchecked Sendable {
  private static let inputSize = 64 * 1024

  private let source: any ByteSource
  private let decoder: any StreamDecoder
  private let name: String
  private let maximumSize: Int
  private var input = ByteBuffer.empty
  private var position = 0
  private var isInputOver = false
  private var mayEnd = false
  private var total = 0
  /// What went wrong behind bytes that are handed out first.
  private var failure: (any Error)?

  init(
    _ source: any ByteSource, _ decoder: any StreamDecoder, name: String, maximumSize: Int
  ) {
    self.source = source
    self.decoder = decoder
    self.name = name
    self.maximumSize = maximumSize
  }

  func read(
    behind rest: RestOfBlock, maximum: Int, patience: Duration
  ) async throws -> ByteBlock {
    if let failure { throw failure }
    var out = ByteBuilder(capacity: rest.range.count + min(maximum, 1 << 20))
    out.append(rest.buffer, rest.range)
    do {
      let isLast = try await fill(&out, behind: rest.range.count, maximum, patience)
      return ByteBlock(out.finish(), isLast: isLast)
    } catch {
      // The rows before the fault are good.
      guard out.count > rest.range.count else { throw error }
      failure = error
      return ByteBlock(out.finish(), isLast: false)
    }
  }

  /// Appends up to `maximum` bytes; returns whether they are the last.
  private func fill(
    _ out: inout ByteBuilder, behind restCount: Int, _ maximum: Int, _ patience: Duration
  ) async throws -> Bool {
    let full = restCount + maximum
    var isPaused = false
    while out.count < full {
      if position == input.count && !isInputOver {
        // What is decompressed goes on before the next wait.
        if isPaused && out.count > restCount && patience == .zero { break }
        let block = try await source.read(
          behind: .none, maximum: Self.inputSize, patience: patience)
        input = block.buffer
        position = 0
        isInputOver = block.isLast
        isPaused = input.count < Self.inputSize
      }
      let before = (position, out.count)
      try step(into: &out, most: min(full - out.count, 128 * 1024))
      if isInputOver && position == input.count && out.count == before.1 {
        guard mayEnd else {
          throw AggregateError(.badData, "\(name): the compressed data end too early")
        }
        return true
      }
      if before == (position, out.count) && position < input.count {
        throw AggregateError(.badData, "\(name): the compressed data make no sense")
      }
    }
    return false
  }

  private func step(into out: inout ByteBuilder, most: Int) throws {
    var failure: StreamDecoderError?
    var taken = 0
    out.append(maximum: most) { target in
      input.withUnsafeBytes { bytes in
        do throws(StreamDecoderError) {
          let result = try decoder.step(
            UnsafeRawBufferPointer(rebasing: bytes[position...]), target)
          taken = result.taken
          mayEnd = result.mayEnd
          total += result.given
          return result.given
        } catch {
          failure = error
          return 0
        }
      }
    }
    position += taken
    if let failure {
      throw AggregateError(
        .badData, "\(name): the compressed data are damaged: \(failure.message)")
    }
    if total > maximumSize {
      throw AggregateError(
        .limit, "\(name): more than \(maximumSize) bytes after decompression",
        hint: "max_body raises the limit")
    }
  }
}
