import AggregateCore
import AggregateTransport

extension SourcePlan {
  /// For programs; every key is always there.
  var value: PlanValue {
    .object(
      [
        ("source", .text(name)), ("provider", .text(provider)),
        (
          "requests",
          .list(
            requests.prefix(PlanText.shown).map {
              .object([("method", .text($0.method)), ("url", .text($0.url.description))])
            })
        ),
        ("more_requests", .int(moreRequests)),
        ("services", PlanValue(how.services)),
        ("partitions", partitionsValue), ("paging", pagingValue),
        ("max_pages", PlanValue(maxPages)),
        (
          "authentication",
          PlanValue(how.authentication.isEmpty ? secretOptions : how.authentication)
        ),
        ("cache", how.isLocal ? .null : cacheValue), ("incremental", incremental?.value ?? .null),
        ("rate_limit", PlanValue(rateLimit)), ("quota", quotaValue),
        ("concurrency", PlanValue(concurrency)), ("retry", how.isLocal ? .null : retryValue),
        ("timeout", how.isLocal ? .null : timeoutValue),
        (
          "tls",
          tlsFiles.isEmpty ? .null : .object(tlsFiles.map { ($0.0, .text($0.1)) })
        ),
        (
          "proxy",
          PlanValue(policy.proxy.map { $0.isEmpty ? "none" : PlanText.withoutUser($0) })
        ),
        ("on_error", .text(onError.rawValue)),
      ] + stages.members)
  }

  private var partitionsValue: PlanValue {
    guard how.knowsPartitions else { return .null }
    return .object([
      ("count", PlanValue(how.partitions)),
      (
        "keys",
        .list(
          how.keys.map { key in
            .object(
              [("name", .text(key.name))] + Self.members(of: key.origin)
                + [("values", PlanValue(key.count)), ("batch", .int(key.batch))])
          })
      ),
    ])
  }

  private static func members(of origin: ProviderPlan.Key.Origin) -> [(String, PlanValue)] {
    switch origin {
    case .list: [("from", .text("list"))]
    case .range(let from, let to, let step):
      [
        ("from", .text("range")), ("first", .int(from)), ("last", .int(to)), ("step", .int(step)),
      ]
    case .file(let path): [("from", .text("file")), ("file", .text(path))]
    case .source(let source, let column):
      [("from", .text("source")), ("source", .text(source)), ("column", .text(column))]
    }
  }

  private var pagingValue: PlanValue {
    guard let paging = how.paging else { return .null }
    return .object([
      ("kind", .text(paging.kind)),
      ("parameters", .object(paging.parameters.map { ($0.name, .text($0.value)) })),
      ("ends", PlanValue(paging.ends)),
    ])
  }

  private var cacheValue: PlanValue {
    let mode =
      switch cache?.mode {
      case nil: "off"
      case .normal: "on"
      case .refresh: "refresh"
      case .offline: "offline"
      }
    let standsIn = cache?.standsInForAll ?? false
    return .object([
      ("mode", .text(mode)), ("ttl", PlanValue(cache?.ttl)),
      ("stale_if_error", standsIn ? .null : PlanValue(cache?.staleIfError)),
      ("always_stands_in", .bool(standsIn)),
    ])
  }

  private var quotaValue: PlanValue {
    PlanValue(
      quota?.quota,
      [
        ("used", PlanValue(quota?.used)), ("left", PlanValue(quota?.left)),
        ("frees", PlanValue(quota?.frees?.iso8601)),
      ])
  }

  private var retryValue: PlanValue {
    .object([
      ("attempts", .int(policy.attempts)), ("max_wait", PlanValue(policy.maxWait)),
      ("statuses", .list(policy.retryStatuses.sorted().map { .int($0) })),
      ("breaker", .int(policy.breaker)),
    ])
  }

  private var timeoutValue: PlanValue {
    .object([
      ("total", PlanValue(policy.totalTimeout)), ("connect", PlanValue(policy.connectTimeout)),
      ("stall", PlanValue(policy.stallTimeout)),
    ])
  }
}
