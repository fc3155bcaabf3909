/// How JSON records follow each other in a range of bytes.
public enum RecordSeparator: Sendable, Hashable {
  /// Documents with white space between them, or nothing: NDJSON and concatenated JSON.
  case whitespace
  /// Elements of an array without its brackets.
  case comma
  /// Exactly one document, or none.
  case single
}
