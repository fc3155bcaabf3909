public import AggregateCore

extension JSONRecordReader {
  /// Reads all records in a range of `buffer`, which ends behind a whole record, but the malformed ones.
  ///
  /// The failure in the result is the first one. What stands behind a malformed record on its line, or in
  /// its element, is skipped with it.
  /// - Returns: What was read, and how many malformed records were skipped.
  public func readSkippingMalformed(
    _ buffer: ByteBuffer, in range: Range<Int>, separator: RecordSeparator
  ) -> (result: JSONReadResult, skipped: Int) {
    var total = JSONReadResult(
      batches: [], failure: nil, consumed: range.upperBound, recordCount: 0, endsInside: false,
      duplicateKey: nil)
    var skipped = 0
    var start = range.lowerBound
    var window = range.count
    while start < range.upperBound {
      // After a fault a short way first, or many faults would each cost the whole rest of the chunk.
      let stop =
        separator == .whitespace ? start + min(window, range.upperBound - start) : range.upperBound
      let isLast = stop == range.upperBound
      let result = read(buffer, in: start..<stop, separator: separator, isLast: isLast)
      if var failure = result.failure {
        skipped += 1
        failure.record += total.recordCount
        if total.failure == nil { total.failure = failure }
      }
      total.batches += result.batches
      total.recordCount += result.recordCount
      total.duplicateKey = total.duplicateKey ?? result.duplicateKey
      if let failure = result.failure {
        let resume = buffer.withUnsafeBytes { bytes in
          JSONResume.offset(
            behind: failure.offset, recordsEnd: result.consumed,
            in: UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound]), separator: separator)
        }
        guard let resume else { break }
        start = resume
        window = 4096
      } else if isLast {
        break
      } else {
        start = result.consumed
        window *= 2
      }
    }
    return (total, skipped)
  }
}
