internal import AggregateCore
internal import CCurl

/// Collects a body, decompressing it by its `Content-Encoding`, up to a limit.
///
/// libcurl's own decoder takes a stream that ends too early for complete; this one does not.
final class BodyDecoder {
  enum Problem: Error, Equatable {
    case tooLarge
    case malformed(String)
  }

  private enum Coding {
    case identity
    case gzip
    case deflate
    case unknown(String)
  }

  private let limit: Int
  private let coding: Coding
  private var body: ByteBuilder?
  private var stream: UnsafeMutableRawPointer?
  private var hasEnded = false
  private(set) var received = 0

  /// Creates a decoder for a value of `Content-Encoding`.
  init(encoding: String?, limit: Int, expected: Int = 0) {
    self.limit = limit
    let name = (encoding ?? "").lowercased().split(separator: " ").joined()
    switch name {
    case "", "identity", "none": coding = .identity
    case "gzip", "x-gzip": coding = .gzip
    case "deflate": coding = .deflate
    default: coding = .unknown(name)
    }
    body = ByteBuilder(capacity: min(max(expected, 4096), min(limit, 1 << 20)))
  }

  deinit { ccurl_inflate_free(stream) }

  /// Takes the next bytes as they came over the network.
  func append(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    received += bytes.count
    guard !bytes.isEmpty else { return }
    switch coding {
    case .identity:
      if (body?.count ?? 0) + bytes.count > limit { throw .tooLarge }
      body?.append(bytes)
    case .gzip, .deflate:
      try inflate(bytes)
    case .unknown(let name):
      throw .malformed("the body is encoded as “\(name)”, which was not asked for")
    }
  }

  /// The complete body; the decoder is used up.
  func finish() throws(Problem) -> ByteBuffer {
    if stream != nil && !hasEnded { throw .malformed("the compressed body ends too early") }
    return body.take()?.finish() ?? .empty
  }

  private func inflate(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    if stream == nil {
      var isRaw = false
      if case .deflate = coding { isRaw = bytes[0] & 0x0F != 8 }
      stream = ccurl_inflate_new(isRaw ? 1 : 0)
      if stream == nil { throw .malformed("zlib is missing, and the body is compressed") }
    }
    var offset = 0
    // Once more after the input is used up: the decoder may hold output that had no room.
    var mayHoldOutput = true
    while offset < bytes.count || mayHoldOutput {
      if hasEnded {
        // A further gzip member follows, or padding, which is ignored.
        guard offset < bytes.count, bytes[offset] == 0x1F else { return }
        guard ccurl_inflate_restart(stream) == 0 else { throw .malformed("bad compressed body") }
        hasEnded = false
      }
      var taken = bytes.count - offset
      var result: Int32 = 0
      let room = 65_536
      var written = room
      let input = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      body?.append(maximum: room) { target in
        result = ccurl_inflate(stream, input.baseAddress, &taken, target.baseAddress, &written)
        return written
      }
      if result < 0 { throw .malformed("the compressed body is malformed") }
      if (body?.count ?? 0) > limit { throw .tooLarge }
      offset += taken
      hasEnded = result == 1
      mayHoldOutput = !hasEnded && written == room
      if !mayHoldOutput && taken == 0 && written == 0 && !hasEnded { return }
    }
  }
}
