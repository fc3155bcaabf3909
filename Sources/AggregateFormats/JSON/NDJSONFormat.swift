internal import AggregateCore

/// JSON documents, one after the other.
enum NDJSONFormat {
  static let spec = FormatSpec(
    "ndjson", "A JSON object per line.", extensions: ["ndjson", "jsonl"], isFlat: false,
    reading: .stream(JSONOpening.open), writing: .encoder { _ in NDJSONEncoder(.lines) })
}
