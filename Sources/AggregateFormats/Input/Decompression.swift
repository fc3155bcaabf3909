internal import AggregateCore

/// Recognises compressed inputs by their first bytes and undoes the compression.
enum Decompression {
  /// A source of what `source` holds compressed; nil when `block`, its beginning, is not compressed.
  ///
  /// - Throws: ``AggregateError`` when the compression is one that cannot be undone here.
  static func source(
    of block: ByteBlock, _ source: any ByteSource, name: String, _ options: InputOptions
  ) throws -> (any ByteSource)? {
    let magic = block.buffer.copy(0..<min(6, block.buffer.count))
    let decoder: any StreamDecoder
    if magic.starts(with: [0x1F, 0x8B]) {
      decoder = try InflateDecoder()
    } else if magic.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
      decoder = try ZstandardDecoder(name: name)
    } else if let other = unreadable(magic) {
      throw AggregateError(
        .badData, "\(name) is compressed with \(other), which cannot be read",
        hint: "gzip and zstd can; decompress it into a pipe: \(other) -dc FILE | aggregate …")
    } else {
      return nil
    }
    return DecodingSource(source, decoder, name: name, maximumSize: options.maximumSize)
  }

  private static func unreadable(_ magic: [UInt8]) -> String? {
    if magic.starts(with: [0x42, 0x5A, 0x68]) && magic.count > 3
      && (0x31...0x39).contains(magic[3])
    {
      return "bzip2"
    }
    return magic == [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00] ? "xz" : nil
  }
}

/// Decompresses a stream step by step.
protocol StreamDecoder: AnyObject {
  /// Moves bytes from `input` to `output`.
  ///
  /// - Returns: How many bytes were taken and given, and whether the stream may end here.
  /// - Throws: ``StreamDecoderError`` when the input is damaged.
  func step(
    _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
  ) throws(StreamDecoderError) -> (taken: Int, given: Int, mayEnd: Bool)
}

/// What is wrong with a compressed stream.
struct StreamDecoderError: Error {
  let message: String
}
