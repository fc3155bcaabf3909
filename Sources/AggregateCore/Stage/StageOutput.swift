/// A file that a stage writes beside the stream (`tee`, the dead letters of `expect`).
public protocol StageOutput: AnyObject {
  /// Writes the rows of `batch`.
  func write(_ batch: Batch) throws
  /// Ends the file; what was written appears under its name only now.
  func finish() throws
}
