public import AggregateCore

/// Encodes batches as one JSON array for people: a member or element per line, indented by two spaces.
///
/// Values are byte for byte those of ``NDJSONEncoder``; only the white space between them differs.
public struct PrettyJSONEncoder: BatchEncoder {
  private let inner = NDJSONEncoder(.array)

  /// Creates an encoder.
  public init() {}

  /// Every row begins with `,`.
  public var separatorLength: Int { inner.separatorLength }

  /// `[`.
  public func prologue(_ schema: Schema) throws -> [UInt8] { try inner.prologue(schema) }

  /// `]` and a line end.
  public func epilogue(isEmpty: Bool) -> [UInt8] { inner.epilogue(isEmpty: isEmpty) }

  /// Appends the rows of `batch`.
  public func encode(_ batch: Batch, into out: inout ByteBuilder) throws {
    var compact = ByteBuilder()
    try inner.encode(batch, into: &compact)
    compact.withUnsafeBytes { Self.indent($0, into: &out) }
  }

  /// Appends `bytes`, which are valid JSON values that each follow a `,`.
  private static func indent(_ bytes: UnsafeRawBufferPointer, into out: inout ByteBuilder) {
    var depth = 1
    var i = 0
    func breakLine() {
      out.append(10)
      for _ in 0..<depth { out.append("  ") }
    }
    while i < bytes.count {
      let byte = bytes[i]
      switch byte {
      case UInt8(ascii: "\""):
        let end = JSONBytes.endOfString(bytes, from: i) ?? bytes.count
        out.append(UnsafeRawBufferPointer(rebasing: bytes[i..<end]))
        i = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        out.append(byte)
        var next = i + 1
        while next < bytes.count, isSpace(bytes[next]) { next += 1 }
        if next < bytes.count, bytes[next] == byte + 2 {
          out.append(bytes[next])
          i = next
        } else {
          depth += 1
          breakLine()
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        breakLine()
        out.append(byte)
      case UInt8(ascii: ","):
        out.append(byte)
        breakLine()
      case UInt8(ascii: ":"):
        out.append(": ")
      case _ where isSpace(byte): break
      default: out.append(byte)
      }
      i += 1
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 32 || byte == 10 || byte == 13 || byte == 9
  }
}
