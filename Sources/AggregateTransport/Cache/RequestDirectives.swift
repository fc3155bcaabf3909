internal import AggregateCore

/// What a request says about the use of a cache, by RFC 9111, section 5.2.1.
struct RequestDirectives {
  /// Whether the server is to confirm whatever is kept; `Pragma: no-cache` counts where there is no
  /// `Cache-Control` (section 5.4).
  let noCache: Bool
  let noStore: Bool
  let onlyIfCached: Bool
  /// How old an answer may be, in seconds.
  let maxAge: Double?
  /// How long an answer must still be fresh, in seconds.
  let minFresh: Double
  /// How long an answer may have been stale, in seconds.
  let maxStale: Double

  init(_ headers: [HTTPField]) {
    let control = CacheControl(headers)
    let hasControl = headers.contains { $0.isNamed("cache-control") }
    let pragma = headers.contains {
      $0.isNamed("pragma") && $0.value.lowercased().contains("no-cache")
    }
    noCache = control.has("no-cache") || (!hasControl && pragma)
    noStore = control.has("no-store")
    onlyIfCached = control.has("only-if-cached")
    maxAge = control.seconds("max-age")
    minFresh = control.seconds("min-fresh") ?? 0
    maxStale = control.isBare("max-stale") ? .infinity : control.seconds("max-stale") ?? 0
  }
}
