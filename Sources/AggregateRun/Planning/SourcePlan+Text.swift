import AggregateCore
import AggregateTransport

extension SourcePlan {
  /// For people.
  var text: String {
    (["source \(name) (provider \(provider))"] + lines.map { "  \($0)" }).joined(separator: "\n")
      + "\n"
  }

  private var lines: [String] {
    var lines = requests.prefix(PlanText.shown).map { "\($0.method) \($0.url)" }
    if moreRequests > 0 { lines.append("… \(moreRequests) more") }
    if requests.isEmpty { lines.append("no requests are known in advance") }
    if !how.services.isEmpty {
      lines.append("services: \(how.services.joined(separator: ", and when that fails "))")
    }
    if !how.keys.isEmpty { lines.append("partitions: \(partitions)") }
    if let paging = how.paging { lines += Self.lines(of: paging) }
    if let maxPages { lines.append("most pages of a partition: \(maxPages)") }
    if !authentication.isEmpty { lines.append("authentication: \(authentication)") }
    if !how.isLocal { lines.append("cache: \(cacheText)") }
    if let incremental { lines += incremental.lines }
    lines += limits
    lines.append("on_error: \(onError.rawValue)")
    return lines + stages.lines
  }

  private var partitions: String {
    let keys = how.keys.map { key in
      var text = "\(key.name): "
      let count = key.count.map { PlanText.count($0, "value") }
      switch key.origin {
      case .list: text += count ?? "a list"
      case .range(let from, let to, let step):
        text += "\(from) to \(to)" + (step == 1 ? "" : " by \(step)")
      case .file(let path): text += "\(count ?? "the lines") of \(path)"
      case .source(let source, let column):
        text += "one per row of source \(source), column \(column)"
      }
      return text + (key.batch > 1 ? ", \(key.batch) per request" : "")
    }
    return (how.partitions.map { "\($0) (" } ?? "known only later (")
      + keys.joined(separator: "; ") + ")"
  }

  private static func lines(of paging: ProviderPlan.Paging) -> [String] {
    guard paging.kind != "none" else { return ["pages: one per partition"] }
    let parameters = paging.parameters.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    return [
      "pages: \(paging.kind)" + (parameters.isEmpty ? "" : " (\(parameters))"),
      "last page: " + (paging.ends.isEmpty ? "none" : paging.ends.joined(separator: "; ")),
    ]
  }

  private var authentication: String {
    if how.authentication.isEmpty {
      return secretOptions.map { "“\($0)”" }.joined(separator: ", ")
    }
    return (how.authentication.count > 1 ? "in turn " : "")
      + how.authentication.joined(separator: ", ")
  }

  private var cacheText: String {
    guard let cache else { return "off" }
    var text =
      switch cache.mode {
      case .offline: "only kept answers, nothing is sent"
      case .refresh: "asked anew, answers are kept"
      case .normal: cache.ttl.map { "for \(PlanText.duration($0))" } ?? "as HTTP says"
      }
    if cache.mode != .offline {
      if cache.standsInForAll {
        text += "; any kept answer stands in for a failed one"
      } else if let stale = cache.staleIfError {
        text += "; stands in for failures \(PlanText.duration(stale)) longer"
      }
    }
    return text
  }

  private var limits: [String] {
    var facts: [(String, String?)] = [
      ("rate limit", rateLimit.map { "\($0.count) in \($0.seconds) s" }),
      (
        "quota",
        quota.map {
          "\($0.quota.count) in \($0.quota.seconds) s, \($0.used) used, \($0.left) left"
            + ($0.left == 0 ? $0.frees.map { ", next at \($0.iso8601)" } ?? "" : "")
        }
      ),
    ]
    if how.isLocal { return Self.lines(facts) }
    facts += [
      ("most requests at once", concurrency.map(String.init)),
      ("tries of a request", String(policy.attempts)),
      ("longest wait between tries", declared("max_wait", PlanText.duration(policy.maxWait))),
      (
        "tried again after",
        declared(
          "statuses", policy.retryStatuses.sorted().map(String.init).joined(separator: ", "))
      ),
      (
        "breaker",
        declared(
          "breaker",
          policy.breaker == 0
            ? "off" : "after \(PlanText.count(policy.breaker, "failed request")) in a row")
      ),
      (
        "timeouts",
        !hasTimeouts
          ? nil
          : "\(PlanText.duration(policy.totalTimeout)) in all, "
            + "\(PlanText.duration(policy.connectTimeout)) to connect, "
            + "\(PlanText.duration(policy.stallTimeout)) without a byte"
      ),
      ("tls", tlsFiles.isEmpty ? nil : tlsFiles.map { "\($0.0) \($0.1)" }.joined(separator: ", ")),
      ("proxy", policy.proxy.map { $0.isEmpty ? "none" : PlanText.withoutUser($0) }),
    ]
    return Self.lines(facts)
  }

  private func declared(_ key: String, _ text: String) -> String? {
    retryKeys.contains(key) ? text : nil
  }

  /// The files of `tls`, by key.
  var tlsFiles: [(String, String)] {
    [
      ("ca", policy.tls.authorities), ("certificate", policy.tls.certificate),
      ("key", policy.tls.key),
    ].compactMap { name, path in path.map { (name, $0) } }
  }

  private static func lines(_ facts: [(String, String?)]) -> [String] {
    facts.compactMap { name, value in value.map { "\(name): \($0)" } }
  }
}
