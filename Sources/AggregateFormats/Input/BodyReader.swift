public import AggregateCore

/// Reads whole documents of a format that another module knows, such as feeds and XML.
public enum BodyReader: Sendable {
  /// Gives the rows of a document; `name` is for messages.
  case rows(@Sendable (_ bytes: ByteBuffer, _ name: String, _ log: RunLog) throws -> [Batch])
  /// Gives the document as JSON text, of which the records are then read.
  case json(@Sendable (_ bytes: ByteBuffer) throws -> ByteBuffer)
}
