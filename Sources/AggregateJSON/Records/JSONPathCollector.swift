internal import CSimdjson

/// Collects the keys of records, or the leaf paths of objects, in the order they are first seen.
struct JSONPathCollector: ~Copyable {
  private let handle: OpaquePointer?

  init() { handle = csimdjson_paths_create() }

  deinit { if let handle { csimdjson_paths_destroy(handle) } }

  /// Notes the top-level keys of up to `maximum` records; returns how many whole ones were seen.
  func addKeys(
    _ bytes: UnsafeRawBufferPointer, in range: Range<Int>, separator: RecordSeparator, maximum: Int
  ) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    guard let handle, let base = bytes.baseAddress else { return 0 }
    return csimdjson_paths_add_keys(
      handle, base.assumingMemoryBound(to: UInt8.self), range.lowerBound, range.upperBound,
      separator.code, maximum)
  }

  /// Notes the leaf paths of the object in `range`.
  func addLeaves(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    guard let handle, let base = bytes.baseAddress else { return }
    csimdjson_paths_add_leaves(
      handle, base.assumingMemoryBound(to: UInt8.self), range.lowerBound, range.upperBound)
  }

  /// What was noted, unescaped.
  var paths: [[String]] {
    guard let handle else { return [] }
    return (0..<csimdjson_paths_count(handle)).map { path in
      (0..<csimdjson_paths_depth(handle, path)).map { element in
        let bytes = csimdjson_paths_element(handle, path, element)
        return String(
          decoding: UnsafeBufferPointer(start: bytes.bytes, count: bytes.count), as: UTF8.self)
      }
    }
  }
}
