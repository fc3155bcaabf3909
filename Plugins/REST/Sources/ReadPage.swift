internal import AggregateCore

/// A page that was decoded, with what its rows depend on beside it.
struct ReadPage: Sendable {
  let payload: RESTPayload
  /// The values of the templates of its partition.
  let values: [String: String]
  /// The window of the time it was asked for, when the source is incremental.
  let window: IncrementalWindow?
  let origin: WorkOrigin
}
