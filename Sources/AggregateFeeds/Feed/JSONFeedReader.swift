internal import AggregateCore

/// Reads JSON Feed 1.0 and 1.1.
enum JSONFeedReader {
  static func read(_ text: [UInt8], url: WebURL?) throws -> Feed {
    throw AggregateError(.badData, "pending")
  }
}
