internal import AggregateCore
internal import CSimdjson

extension JSONChunker {
  /// The mode that fits an input that begins with `prefix` and is known to be JSON of some form.
  ///
  /// An array that closes inside the prefix with more JSON behind it is one of several documents;
  /// any other array holds the records. Whatever begins with no array is read as documents.
  public static func mode(of prefix: UnsafeRawBufferPointer) -> Mode {
    guard let base = prefix.baseAddress else { return .documents }
    var start = 0
    if prefix.count >= 3, prefix[0] == 0xEF, prefix[1] == 0xBB, prefix[2] == 0xBF { start = 3 }
    while start < prefix.count, isSpace(prefix[start]) { start += 1 }
    guard start < prefix.count, prefix[start] == UInt8(ascii: "[") else { return .documents }
    var scan = CSimdjsonScan()
    var found = false
    let end = csimdjson_scan(
      &scan, base.assumingMemoryBound(to: UInt8.self), start, prefix.count, false, 0, &found)
    guard found, let next = prefix[end...].first(where: { !isSpace($0) }) else { return .array }
    return next == UInt8(ascii: "]") || next == UInt8(ascii: ",") ? .array : .documents
  }
}
