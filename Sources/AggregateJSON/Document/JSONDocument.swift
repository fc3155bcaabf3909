public import AggregateCore

/// One JSON text, checked by the whole grammar and indexed; all values stay spans of its bytes.
///
/// Numbers keep their digits, strings their escapes. Building it costs one pass and sixteen bytes per
/// value; skipping a subtree afterwards costs nothing.
public final class JSONDocument: Sendable {
  /// The bytes that the document's values are ranges of.
  public let buffer: ByteBuffer
  let tape: JSONTape

  /// Objects and arrays may nest this deep.
  public static let maximumDepth = 1024
  /// The longest document, in bytes.
  public static let maximumLength = Cell.maximumLength

  /// Parses `buffer`, or the part of it in `range`. A byte order mark at the beginning is skipped.
  ///
  /// - Parameter members: When given, the only members that the root object has in the result. Of the
  ///   others the encoding, the strings and the nesting are checked, not the whole grammar.
  /// - Throws: ``AggregateError`` with code `badData` (what was found, where, what was expected) or
  ///   `limit` (longer than ``maximumLength``).
  public init(
    parsing buffer: ByteBuffer, in range: Range<Int>? = nil, members: JSONMemberNames? = nil
  )
    throws
  {
    var range = range ?? 0..<buffer.count
    guard range.lowerBound >= 0, range.upperBound <= buffer.count else {
      throw AggregateError(.internal, "a JSON text from \(range) lies outside its buffer")
    }
    if buffer.withUnsafeBytes({ $0[range].starts(with: [0xEF, 0xBB, 0xBF]) }) {
      range = range.lowerBound + 3..<range.upperBound
    }
    guard range.count <= Self.maximumLength, range.upperBound <= Cell.maximumOffset else {
      throw AggregateError(
        .limit, "a JSON document of \(range.count) bytes is too large",
        hint: "at most \(Self.maximumLength) bytes; larger data may come as NDJSON")
    }
    self.buffer = buffer
    do throws(JSONTape.Failure) {
      tape = try JSONTape(buffer, range, members: members)
    } catch .memory {
      throw AggregateError(
        .limit, "there is not enough memory for a JSON document of \(range.count) bytes")
    } catch .invalid {
      throw JSONDiagnosis.error(in: buffer, range)
    }
  }

  /// Parses `text`.
  public convenience init(_ text: String) throws {
    try self.init(parsing: ByteBuffer(text))
  }

  /// The value that the document is.
  public var root: JSONNode { JSONNode(document: self, index: 0) }
}
