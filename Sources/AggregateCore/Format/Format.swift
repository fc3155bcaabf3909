/// Writes batches as bytes of one format.
///
/// A writer is used by one thread: ``begin(_:into:)``, ``write(_:into:)`` for each batch, ``finish(into:)``.
public protocol Writer: AnyObject {
  /// Starts the output for rows of `schema`.
  func begin(_ schema: Schema, into out: inout ByteBuilder) throws
  /// Appends the rows of `batch`.
  func write(_ batch: Batch, into out: inout ByteBuilder) throws
  /// Ends the output.
  func finish(into out: inout ByteBuilder) throws
}

/// Encodes batches independently of each other, so that it may run on several threads.
///
/// The output is the prologue, then the encoded batches in order, then the epilogue. Where rows are
/// separated (a JSON array), every row begins with the separator and the first row's is cut off.
public protocol BatchEncoder: Sendable {
  /// What stands before the first row.
  func prologue(_ schema: Schema) throws -> [UInt8]
  /// Appends the rows of `batch`, whose schema is the one of the prologue.
  func encode(_ batch: Batch, into out: inout ByteBuilder) throws
  /// How many bytes of the first row are its separator.
  var separatorLength: Int { get }
  /// What stands behind the last row.
  func epilogue(isEmpty: Bool) -> [UInt8]
}

/// The description of a format.
public struct FormatSpec: Sendable {
  /// The name, as in `-f NAME`.
  public let name: String
  /// One sentence that says what it is.
  public let summary: String
  /// File name extensions, without the dot.
  public let extensions: [String]
  /// Whether rows can be read from it.
  public let canRead: Bool
  /// Whether rows can be written to it.
  public let canWrite: Bool
  /// Whether nested values become columns of their own (`city.name`) when it is written.
  public let isFlat: Bool

  /// What its reference page says besides, a paragraph each.
  public let notes: [String]

  /// Creates a description.
  public init(
    _ name: String, _ summary: String, extensions: [String], canRead: Bool, canWrite: Bool,
    isFlat: Bool, notes: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.extensions = extensions
    self.canRead = canRead
    self.canWrite = canWrite
    self.isFlat = isFlat
    self.notes = notes
  }
}
