package import AggregateCore
package import AggregateTransport

/// What a run came to: per source, and as a whole.
package struct RunReport {
  /// One source.
  package struct Source {
    let name: String
    let status: SourceTally.Status
    let rows: Int
    let pages: Int
    let figures: SourceMetrics.Figures
    let error: String?
    /// The option at which reading ended though there was more.
    let stop: String?

    /// Creates what is told of one source.
    package init(
      name: String, status: SourceTally.Status, rows: Int, pages: Int,
      figures: SourceMetrics.Figures, error: String?, stop: String?
    ) {
      self.name = name
      self.status = status
      self.rows = rows
      self.pages = pages
      self.figures = figures
      self.error = error
      self.stop = stop
    }
  }

  let exit: Int32
  let rows: Int
  let seconds: Double
  let sources: [Source]
  let hosts: [HostRecords.Figures]

  /// Creates a report.
  package init(
    exit: Int32, rows: Int, seconds: Double, sources: [Source], hosts: [HostRecords.Figures]
  ) {
    self.exit = exit
    self.rows = rows
    self.seconds = seconds
    self.sources = sources
    self.hosts = hosts
  }

  /// The report as one JSON object.
  package var json: String {
    let items = sources.map { source in
      let figures = source.figures
      let stop = source.stop.map { ["\"stopped\":\(EscapedText.quoted($0))"] } ?? []
      return "{"
        + ([
          "\"name\":\(EscapedText.quoted(source.name))",
          "\"status\":\"\(source.status.rawValue)\"", "\"rows\":\(source.rows)",
          "\"pages\":\(source.pages)", "\"requests\":\(figures.requests)",
          "\"retries\":\(figures.retries)", "\"bytes\":\(figures.bytes)",
          "\"waited_s\":\(Self.seconds(figures.waited))",
          "\"cache\":{\"hits\":\(figures.cacheHits),\"revalidated\":\(figures.cacheRevalidated),"
            + "\"misses\":\(figures.cacheMisses)}",
          "\"error\":\(source.error.map(EscapedText.quoted) ?? "null")",
        ] + stop).joined(separator: ",") + "}"
    }
    return "{\"exit\":\(exit),\"rows\":\(rows),\"duration_s\":\(Self.seconds(seconds)),"
      + "\"sources\":[\(items.joined(separator: ","))],"
      + "\"hosts\":[\(hosts.map(Self.json).joined(separator: ","))]}"
  }

  private static func json(_ host: HostRecords.Figures) -> String {
    let failures = host.failuresByCount.map { "\(EscapedText.quoted($0.reason)):\($0.count)" }
    return "{\"host\":\(EscapedText.quoted(host.host)),\"requests\":\(host.requests),"
      + "\"failures\":{\(failures.joined(separator: ","))},"
      + "\"asked_to_wait_s\":\(seconds(host.asked)),\"not_sent\":\(host.notSent)}"
  }

  /// For people: one line per source that asked something, one per host that gave trouble.
  var lines: [String] { sourceLines + hosts.filter(\.hasTrouble).map(Self.line) }

  private static func line(_ host: HostRecords.Figures) -> String {
    var parts: [String] = []
    if !host.failures.isEmpty {
      let reasons = host.failuresByCount.map { "\($0.count) × \($0.reason)" }
      parts.append(
        "\(host.failureCount) of \(count(host.requests, "request")) failed (\(reasons.joined(separator: ", ")))"
      )
    }
    if host.asked >= 1 { parts.append("asked to wait \(seconds(host.asked)) s") }
    if host.notSent > 0 { parts.append("\(count(host.notSent, "request")) not sent, it was down") }
    return "host \(host.host): \(parts.joined(separator: "; "))"
  }

  private var sourceLines: [String] {
    sources.filter { $0.figures.requests > 0 || $0.status != .ok }.map { source in
      var parts = [
        Self.count(source.rows, "row"), Self.count(source.figures.requests, "request"),
      ]
      if source.figures.retries > 0 { parts.append(Self.count(source.figures.retries, "retry")) }
      if source.figures.waited >= 0.1 {
        parts.append("waited \(Self.seconds(source.figures.waited)) s")
      }
      if source.status != .ok { parts.append(source.status.rawValue) }
      return "\(source.name): \(parts.joined(separator: ", "))"
    }
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    let plural = noun == "retry" ? "retries" : noun + "s"
    return "\(number) \(number == 1 ? noun : plural)"
  }

  private static func seconds(_ value: Double) -> String {
    NumberText.shortest((value * 1000).rounded() / 1000)
  }
}
