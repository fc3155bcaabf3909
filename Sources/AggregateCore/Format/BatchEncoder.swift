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
