/// Is told how a run goes, beside the messages of its log.
package protocol RunObserver: Sendable {
  /// Told that rows begin to flow.
  ///
  /// - Parameter progress: Gives the figures of each source so far; may be asked at any time.
  func runBegan(_ progress: @escaping @Sendable () -> [SourceProgress])

  /// Told that no more rows flow.
  func runEnded()

  /// Told what ended the run, or what of it failed while the rest went on.
  func failed(_ error: any Error)

  /// Told the report as one JSON object, when it was asked for.
  func reported(_ json: String)
}

extension RunObserver {
  /// Nothing is shown.
  package func runBegan(_ progress: @escaping @Sendable () -> [SourceProgress]) {}
  /// Nothing is shown.
  package func runEnded() {}
  /// Nothing is shown.
  package func reported(_ json: String) {}
}
