internal import AggregateCore

/// The keys of a batch's rows, as bytes whose order is the order of the keys.
struct EncodedKeys {
  /// All keys, one behind the other.
  let bytes: ByteBuffer
  /// Where each key begins; one element more than there are rows.
  let starts: [Int]
  /// Which rows have a null in their key; nil when none has.
  let nulls: [Bool]?

  /// The number of rows.
  var count: Int { starts.count - 1 }

  /// Whether a part of the key of `row` is null.
  func hasNull(_ row: Int) -> Bool { nulls?[row] ?? false }

  /// Calls `body` with the bytes of the key of `row`.
  @inline(__always)
  func withKey<R>(_ row: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    bytes.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[starts[row]..<starts[row + 1]]))
    }
  }
}
