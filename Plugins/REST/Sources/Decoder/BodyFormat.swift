internal import AggregateCore

/// How a body is written.
enum BodyFormat: String, Sendable, CaseIterable {
  case auto, json, ndjson, csv, tsv, xml, feed
  /// The whole body is one record, a text.
  case text
  /// Each line is a record, a text.
  case lines

  /// The format of an answer, by its Content-Type where that can be true, else by its first bytes.
  static func detected(_ response: HTTPResponse) -> BodyFormat {
    let type = (response.header("Content-Type") ?? "").prefix { $0 != ";" && $0 != "," }
      .lowercased()
    // The usual case is told at once: each page of a long list comes through here.
    let isLines =
      type != "application/json"
      && ["ndjson", "jsonl", "json-lines", "stream+json"].contains { type.contains($0) }
    let beginning = BodyBeginning(response.body)
    switch beginning.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return isLines ? .ndjson : .json
    case UInt8(ascii: "<"):
      if type.contains("rss") || type.contains("atom") || beginning.isFeed { return .feed }
      return beginning.isHTML || type.contains("json") ? .json : .xml
    default: break
    }
    if isLines { return .ndjson }
    if type.contains("json") { return .json }
    if type.contains("csv") { return .csv }
    if type.contains("tab-separated") { return .tsv }
    return beginning.isJSONScalar ? .json : .csv
  }
}
