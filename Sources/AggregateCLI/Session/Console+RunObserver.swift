import AggregateRun

extension Console: RunObserver {
  func runBegan(_ figures: @escaping @Sendable () -> [SourceProgress]) {
    progress?.start { elapsed in
      let parts = figures().map { source in
        let rate = elapsed > .seconds(1) ? source.rows / Int(elapsed.components.seconds) : 0
        return "\(source.name): \(source.rows) rows, \(source.requests) requests"
          + (rate > 0 ? ", \(rate) rows/s" : "")
          + (source.waited >= 1 ? ", waited \(Int(source.waited)) s" : "")
      }
      return parts.isEmpty ? "reading …" : parts.joined(separator: " · ")
    }
  }

  func runEnded() { progress?.stop() }
  func failed(_ error: any Error) { self.error(error) }
  func reported(_ json: String) { line(json) }
}
