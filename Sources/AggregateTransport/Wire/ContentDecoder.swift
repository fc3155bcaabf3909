internal import AggregateCore
internal import CCurl

/// One content coding of a body that arrives in pieces.
final class ContentDecoder {
  /// The codings that can be decoded.
  enum Coding: Sendable, Hashable {
    case gzip, deflate, brotli, zstd

    /// The coding of a name in lower case; nil for one that is not known.
    init?(_ name: some StringProtocol) {
      switch name {
      case "gzip", "x-gzip": self = .gzip
      case "deflate": self = .deflate
      case "br": self = .brotli
      case "zstd": self = .zstd
      default: return nil
      }
    }

    /// The library that decodes it.
    var library: String {
      switch self {
      case .gzip, .deflate: "zlib"
      case .brotli: "libbrotlidec"
      case .zstd: "libzstd"
      }
    }
  }

  /// What one step did.
  struct Step {
    /// How many bytes of the input were read.
    var taken: Int
    /// How many bytes of the room were filled.
    var written: Int
    /// Whether the input is none of this coding.
    var isMalformed: Bool
  }

  let coding: Coding
  private var stream: UnsafeMutableRawPointer?
  private var hasEnded = false

  init(_ coding: Coding) { self.coding = coding }

  deinit { ccurl_decoder_free(stream) }

  /// Whether it has begun and its end did not come yet.
  var isUnfinished: Bool { stream != nil && !hasEnded }

  /// Whether there is something to decode in what begins with `next`, which is nil when all input was
  /// read; what follows the end is padding, unless it is a further stream.
  func wants(_ next: UInt8?) throws(BodyDecoder.Problem) -> Bool {
    if stream == nil {
      guard let next else { return false }
      // Some servers mean by “deflate” what its name says, and not what HTTP says.
      let isRaw = coding == .deflate && next & 0x0F != 8
      stream = ccurl_decoder_new(Int32(isRaw ? CCURL_RAW_DEFLATE : kind))
      if stream == nil {
        throw .unsupported("the body is compressed, and \(coding.library) is missing")
      }
    }
    guard hasEnded else { return true }
    guard let next else { return false }
    switch ccurl_decoder_restart(stream, Int32(next)) {
    case 0: return false
    case 1: hasEnded = false
    default: throw .malformed("the compressed body is malformed")
    }
    return true
  }

  /// Decodes a piece of `input` into `room`.
  func step(_ input: UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer) -> Step {
    var step = Step(taken: input.count, written: room.count, isMalformed: false)
    let result = ccurl_decode(
      stream, input.baseAddress, &step.taken, room.baseAddress, &step.written)
    step.isMalformed = result < 0
    hasEnded = result == 1
    return step
  }

  private var kind: Int {
    switch coding {
    case .gzip, .deflate: Int(CCURL_ZLIB)
    case .brotli: Int(CCURL_BROTLI)
    case .zstd: Int(CCURL_ZSTD)
    }
  }
}
