public import AggregateCore

/// The description of a format, with what makes its readers and writers.
public struct FormatSpec: Sendable {
  /// How rows are read.
  public enum Reading: Sendable {
    /// From a stream of bytes.
    case stream(@Sendable (FormatInput) async throws -> OpenedInput)
    /// From a whole document; `name` is for messages.
    case rows(@Sendable (_ bytes: ByteBuffer, _ name: String, _ log: RunLog) throws -> [Batch])
    /// From JSON text that a whole document is made into.
    case json(@Sendable (_ bytes: ByteBuffer) throws -> ByteBuffer)
  }

  /// How rows are written.
  public enum Writing: Sendable {
    /// Batches may be encoded side by side.
    case encoder(@Sendable (OutputOptions) -> any BatchEncoder)
    /// One batch after the other; throws when this build lacks what it needs.
    case writer(@Sendable (OutputOptions) throws -> any Writer)
  }

  /// The name, as in `-f NAME`.
  public let name: String
  /// One sentence that says what it is.
  public let summary: String
  /// File name extensions, without the dot.
  public let extensions: [String]
  /// Whether nested values become columns of their own (`city.name`) when it is written.
  public let isFlat: Bool
  /// How rows are read; nil when they can't be.
  public let reading: Reading?
  /// How rows are written; nil when they can't be.
  public let writing: Writing?
  /// What its reference page says besides, a paragraph each.
  public let notes: [String]

  /// Whether rows can be read from it.
  public var canRead: Bool { reading != nil }
  /// Whether rows can be written to it.
  public var canWrite: Bool { writing != nil }

  /// Creates a description.
  public init(
    _ name: String, _ summary: String, extensions: [String], isFlat: Bool,
    reading: Reading? = nil, writing: Writing? = nil, notes: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.extensions = extensions
    self.isFlat = isFlat
    self.reading = reading
    self.writing = writing
    self.notes = notes
  }
}
