internal import AggregateCore

/// Collects a body, decompressing it by its `Content-Encoding`, up to a limit.
///
/// libcurl's own decoder takes a stream that ends too early for complete; this one does not.
final class BodyDecoder {
  enum Problem: Error, Equatable {
    case tooLarge
    case malformed(String)
    case unsupported(String)
  }

  /// The most codings of one body: more are an attack.
  private static let maxLayers = 4
  /// How many bytes are decoded at a time.
  private static let room = 65_536
  /// Names that say that the body is sent as it is; `utf-8` is a mistake that servers make.
  private static let plain: Set<Substring> = ["", "identity", "none", "utf-8", "aws-chunked"]

  private let limit: Int
  /// The last coding that was applied is the first one to be undone.
  private let layers: [ContentDecoder]
  private let problem: Problem?
  private var body: ByteBuilder?
  private(set) var received = 0

  /// Creates a decoder for a value of `Content-Encoding`.
  init(encoding: String?, limit: Int, expected: Int = 0) {
    self.limit = limit
    let names = (encoding ?? "").lowercased().filter { !$0.isWhitespace }.split(separator: ",")
      .filter { !Self.plain.contains($0) }
    let codings = names.map { ContentDecoder.Coding($0) }
    layers = codings.reversed().compactMap { $0.map { ContentDecoder($0) } }
    if let index = codings.firstIndex(of: nil) {
      problem = .unsupported("the body is encoded as “\(names[index])”")
    } else if codings.count > Self.maxLayers {
      problem = .unsupported("the body is compressed \(codings.count) times")
    } else {
      problem = nil
    }
    body = ByteBuilder(capacity: min(max(expected, 4096), min(limit, 1 << 20)))
  }

  /// Takes the next bytes as they came over the network.
  func append(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    received += bytes.count
    guard !bytes.isEmpty else { return }
    if let problem { throw problem }
    try decode(bytes, 0)
  }

  /// The complete body; the decoder is used up.
  func finish() throws(Problem) -> ByteBuffer {
    for layer in layers where layer.isUnfinished {
      throw .malformed("the compressed body ends too early")
    }
    return body.take()?.finish() ?? .empty
  }

  /// Undoes the codings from `index` on.
  private func decode(_ bytes: UnsafeRawBufferPointer, _ index: Int) throws(Problem) {
    guard index < layers.count else {
      if (body?.count ?? 0) + bytes.count > limit { throw .tooLarge }
      body?.append(bytes)
      return
    }
    let layer = layers[index]
    var offset = 0
    // Once more after the input is used up: the decoder may hold output that had no room.
    var mayHoldOutput = true
    while offset < bytes.count || mayHoldOutput {
      guard try layer.wants(offset < bytes.count ? bytes[offset] : nil) else { return }
      let step = try step(layer, UnsafeRawBufferPointer(rebasing: bytes[offset...]), index)
      if step.isMalformed { throw .malformed("the compressed body is malformed") }
      offset += step.taken
      mayHoldOutput = layer.isUnfinished && step.written == Self.room
      if step.taken == 0 && step.written == 0 && layer.isUnfinished { return }
    }
  }

  /// Decodes a piece into the body, or into what the next coding gets.
  private func step(
    _ layer: ContentDecoder, _ input: UnsafeRawBufferPointer, _ index: Int
  ) throws(Problem) -> ContentDecoder.Step {
    var step = ContentDecoder.Step(taken: 0, written: 0, isMalformed: false)
    if index == layers.count - 1 {
      body?.append(maximum: Self.room) { target in
        step = layer.step(input, UnsafeMutableRawBufferPointer(rebasing: target[..<Self.room]))
        return step.written
      }
      if (body?.count ?? 0) > limit { throw .tooLarge }
      return step
    }
    var piece = [UInt8](repeating: 0, count: Self.room)
    piece.withUnsafeMutableBytes { step = layer.step(input, $0) }
    if step.isMalformed { return step }
    var problem: Problem?
    piece.withUnsafeBytes { bytes in
      do throws(Problem) {
        try decode(UnsafeRawBufferPointer(rebasing: bytes[..<step.written]), index + 1)
      } catch { problem = error }
    }
    if let problem { throw problem }
    return step
  }
}
