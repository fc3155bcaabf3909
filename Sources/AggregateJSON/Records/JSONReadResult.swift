public import AggregateCore

/// What reading a range of bytes gave.
public struct JSONReadResult: Sendable {
  /// The rows, in order, in batches that share the buffer.
  public var batches: [Batch]
  /// Why reading stopped at a malformed record; nil when none is malformed.
  public var failure: JSONReadFailure?
  /// The offset in the buffer behind the last whole record.
  public var consumed: Int
  /// The number of rows in all batches.
  public var recordCount: Int
  /// Whether the range, not being the last, ended inside a record, which begins after ``consumed``.
  public var endsInside: Bool
  /// The first key that stood twice in one object; the last of its values was taken.
  public var duplicateKey: String?
}

/// A malformed record.
public struct JSONReadFailure: Sendable {
  /// What is wrong, without the place: `expected “:” behind a key, found “1”`.
  public var reason: String
  /// Whether a limit was passed rather than a rule of JSON broken.
  public var isLimit: Bool
  /// How many records of the range were read before it.
  public var record: Int
  /// The offset in the buffer of what is wrong.
  public var offset: Int
  /// Where reading may go on: behind the line, or the element, in which it is; nil when nothing follows.
  public var resume: Int?

  /// The error for a user, counted from the beginning of the input.
  ///
  /// - Parameters:
  ///   - recordsBefore: How many records stood before the range; nil when that is not known.
  ///   - bytesBefore: How many bytes of the input stand before the buffer.
  public func error(recordsBefore: Int? = 0, bytesBefore: Int = 0) -> AggregateError {
    let subject = recordsBefore.map { "record \($0 + record + 1)" } ?? "a record"
    return AggregateError(
      isLimit ? .limit : .badData,
      "\(subject) is not valid JSON: \(reason) at byte \(bytesBefore + offset)")
  }

  /// The error for a user, with its place in `file`, of which `chunk` was read.
  public func error(
    recordsBefore: Int?, in chunk: JSONChunker.Chunk, of file: String
  ) -> AggregateError {
    var error = error(recordsBefore: recordsBefore, bytesBefore: chunk.offset)
    error.location = chunk.place(at: offset).location(in: file)
    return error
  }
}
