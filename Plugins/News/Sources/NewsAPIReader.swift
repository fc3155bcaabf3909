internal import AggregateCore

/// Reads the pages of NewsAPI one after the other, and watches them.
struct NewsAPIReader {
  let service: NewsAPIService
  let context: ProviderContext
  /// Receives the rows of a page, with the window they are of, before the next page is asked for.
  let take: @Sendable (Emission, IncrementalWindow?) async throws -> Void

  /// Reads what NewsAPI has; of an incremental source one window of the time after the other.
  ///
  /// What goes wrong with it is noted where the policy is to go on with other parts.
  func run() async throws {
    do {
      guard let cursors = context.incremental, service.readsIncrementally else {
        let isComplete = try await pages(nil)
        if isComplete, !context.part.isEmpty { context.incremental?.finish(context.part) }
        return
      }
      var isComplete = true
      var next = try cursors.window(after: nil, of: "")
      while let window = next {
        if try await !pages(window) { isComplete = false }
        next = try cursors.window(after: window, of: "")
      }
      if isComplete { cursors.finish("") }
    } catch let error as AggregateError {
      let error = service.endpoint.explain(error, context)
      guard context.errorPolicy == .partial, error.code.endsOnePart else { throw error }
      context.tally.fail(error.of(source: context.source), .partial)
    }
  }

  /// Reads the pages of a window; false when not all could be read.
  private func pages(_ window: IncrementalWindow?) async throws -> Bool {
    let endpoint = service.endpoint
    var pages = NewsAPIPages(size: endpoint.pageSize, isPaged: endpoint.kind != .sources)
    var watch = PageGuard(
      hint: "does base_urls.newsapi lead to something that pages as NewsAPI does?")
    var count = 0
    while true {
      let place = pages.place
      let response = try await context.http.send(endpoint.request(place, window?.query ?? []))
      let payload = try service.decoder.decode(response)
      let (batch, failure) = try rows(payload, of: response, place)
      // Of articles that were taken back all are equal.
      if payload.entries.contains(where: { !$0.isRemoved }),
        try watch.take(batch, of: response) == .repeatsLast
      {
        context.log.warn(
          "\(context.source): page \(place.number) repeats the page before it; taken for the end")
        return true
      }
      let next = pages.take(payload)
      if let warning = next.warning { context.log.warn("\(context.source): \(warning)") }
      if batch.rowCount > 0 {
        try await take(
          Emission(.batch(batch), from: WorkOrigin(response), of: context.part), window)
      }
      if let failure { throw failure }
      context.log.detail(
        "\(context.source): page \(place.number): \(payload.count) records from \(response.url)")
      guard next.place != nil else {
        if next.isCutOff { context.incremental?.leave(context.part) }
        return !next.isCutOff
      }
      count += 1
      if let limit = context.maxPages, count >= limit {
        context.noteMaxPages(count)
        return false
      }
    }
  }

  /// The rows of a page, up to the first that is none, unless such are left out; and what is wrong with that.
  private func rows(
    _ payload: NewsAPIPayload, of response: HTTPResponse, _ place: NewsAPIPages.Place
  ) throws -> (Batch, AggregateError?) {
    var payload = payload
    payload.entries.removeFirst(min(place.skipped, payload.entries.count))
    var failure: AggregateError?
    if let first = payload.malformed.first {
      let error = first.error(at: response.url)
      if context.errorPolicy == .skip {
        try context.log.skipped(
          records: payload.malformed.count, of: context.source, first: error, at: first.index)
      } else {
        payload.entries = Array(payload.entries.prefix(max(0, first.index - place.skipped)))
        failure = error
      }
    }
    var rows = BatchBuilder(schema: service.mapper.schema)
    try service.mapper.map(payload, of: NewsAPIEndpoint.Query(log: context.log), into: &rows)
    return (rows.finish(), failure)
  }
}
