internal import AggregateCore

extension Schema {
  /// Where further columns go: at the end, but before the overflow column of an open schema.
  var endOfOwnColumns: Int { isOpen ? columns.count - 1 : columns.count }
}

extension StageContext {
  /// A context for asking a stage about schemas, in which nothing runs.
  static var forSchemas: StageContext {
    StageContext(log: .silent, maxMemory: 0, temporaryDirectory: "")
  }
}
