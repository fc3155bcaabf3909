public import AggregateCore

extension JSONRecordReader {
  /// An open schema with the top-level keys of up to `maxRecords` records, in first-seen order.
  ///
  /// Each key is a column of type `any` with its path; records that are no objects give the column
  /// `value`. The sample ends before a malformed or cut-off record, which reading will report.
  public static func inferSchema(
    _ buffer: ByteBuffer, in range: Range<Int>, separator: RecordSeparator, maxRecords: Int
  ) -> (schema: Schema, recordCount: Int) {
    let collector = JSONPathCollector()
    let count = buffer.withUnsafeBytes {
      collector.addKeys($0, in: range, separator: separator, maximum: maxRecords)
    }
    // Names are unique as Swift compares text; a key that only differs in its bytes overflows.
    var names: Set<String> = [Schema.overflowName]
    var columns: [ColumnSpec] = []
    for path in collector.paths {
      guard let key = path.first, names.insert(key).inserted else { continue }
      columns.append(ColumnSpec(key, path: ColumnPath([key])))
    }
    columns.append(
      ColumnSpec(
        Schema.overflowName, .json,
        description: "The fields that the schema does not name, as a JSON object."))
    return (Schema(columns, isOpen: true), count)
  }
}
