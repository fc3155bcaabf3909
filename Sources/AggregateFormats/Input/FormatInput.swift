public import AggregateCore

/// Bytes whose format is known, for the reader of that format.
public struct FormatInput: Sendable {
  /// The bytes, decompressed and in UTF-8.
  public let source: any ByteSource
  /// The first of them, which the source gives once more.
  public let first: ByteBlock
  /// The name of the format.
  public let format: String
  /// A path or an address, for messages.
  public let name: String
  /// How it is to be read.
  public let options: InputOptions
  /// Is told what is wrong with records.
  public let log: RunLog

  /// The whole of it, which must fit into one buffer.
  ///
  /// - Throws: ``AggregateError`` with code `limit`.
  func document() async throws -> ByteBuffer {
    var whole = ByteBlock(.empty, isLast: false)
    while !whole.isLast {
      if whole.buffer.count > Cell.maximumLength {
        throw AggregateError(
          .limit, "\(name): a document of the format \(format) may have \(Cell.maximumLength) bytes"
        )
      }
      whole = try await source.read(
        behind: RestOfBlock(whole.buffer, 0..<whole.buffer.count),
        maximum: max(options.blockSize, whole.buffer.count), patience: .zero)
    }
    return whole.buffer
  }

  /// The result of `body`; an error of it names the input.
  func named<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch var error as AggregateError {
      if error.location != nil {
        error.location?.file = name
      } else if !error.message.contains(name) {
        error.message = "\(name): \(error.message)"
      }
      throw error
    }
  }
}
