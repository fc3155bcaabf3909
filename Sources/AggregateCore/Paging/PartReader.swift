/// Reads one part from one service: its windows, and page by page what each has.
///
/// This is the only loop over pages. It asks ahead where it may, judges every answer, watches that paging makes
/// progress, and honours limits.
struct PartReader<Source: EndpointProvider> {
  private typealias Payload = Source.SourceEndpoint.Payload
  private typealias SourcePage = PageRows<Source>.SourcePage

  /// A page that was asked for ahead of its turn.
  private struct Sent {
    let ask: PageAsk?
    let task: Task<HTTPResponse, any Error>
  }

  /// What follows a page.
  private struct Next {
    let ask: PageAsk?
    let request: HTTPRequest
    var progress: PageProgress
  }

  private let source: Source
  private let part: Source.SourceEndpoint.Part
  private let context: ProviderContext
  private let rows: PageRows<Source>
  private let paging: Paging<Source.SourceEndpoint.Payload>
  private var window: Window?
  private let starts = StartOrder()
  private var sent: [Sent] = []
  private var isCapTold = false
  /// How many rows were read so far.
  private(set) var rowCount = 0
  /// The address that was asked last.
  private(set) var url: WebURL?

  init(
    _ reader: SourceReader<Source>, _ part: Source.SourceEndpoint.Part, _ number: Int,
    _ context: ProviderContext
  ) {
    source = reader.source
    self.part = part
    self.context = context
    rows = PageRows(reader, number, context)
    paging = reader.source.endpoint.paging(of: part)
  }

  /// Reads all pages; of an incremental source, one window of the time after the other.
  mutating func run() async throws {
    guard source.readsIncrementally, let cursors = context.cursors else {
      return try await readPages()
    }
    var next = try cursors.window(after: nil, of: context.part)
    while let window = next {
      self.window = window
      try await readPages()
      next = try cursors.window(after: window, of: context.part)
    }
    // The cursor may move only behind rows that were given.
    try await rows.flush()
  }

  private mutating func readPages() async throws {
    defer { dropSent() }
    var held: PageRows<Source>.Mapped?
    do {
      try await readPages(&held)
    } catch {
      // What came before a failure is good.
      if let held, !(error is CancellationError) { try await rows.emit(held) }
      throw error
    }
    if let held { try await rows.emit(held) }
  }

  /// - Parameter held: The page that the next one tells to be a page of its own, or the one before once more.
  private mutating func readPages(_ held: inout PageRows<Source>.Mapped?) async throws {
    var walk = PageWalk(paging)
    var watch = PageGuard(hint: paging.hint)
    var index = 0
    var rowsBefore = 0
    var request = try self.request(walk.first)
    var progress = PageProgress.token
    if paging.namesNext { _ = try watch.follow(request.mark, shown: "\(request.url)") }
    while true {
      url = request.url
      let response = try await answer(to: request)
      guard try source.endpoint.isPage(response, context) else { return }
      let payload = try await decode(response)
      var next: Next?
      // What is wrong with the next page is told once the rows of this one were given.
      var failure: (any Error)?
      do {
        next = try walk.next(after: payload, response).map {
          Next(ask: $0.ask, request: try self.request($0.ask), progress: $0.progress)
        }
      } catch { failure = error }
      sendAhead(after: index, next, walk, watch)
      if walk.isCapped { noteCap() }
      if payload == nil, index == 0, response.status == 200 {
        context.log.note(
          "\(context.source): \(url.map { "\($0)" } ?? "") answered with nothing: no rows")
      }
      var mapped: PageRows<Source>.Mapped?
      if let payload {
        let page = SourcePage(
          part: part, window: window, index: index, request: request, response: response,
          payload: payload, rowsBefore: rowsBefore)
        let rows = try await self.mapped(page)
        if paging.isRule {
          do {
            next = try await source.endpoint.request(after: rows.page, context).map {
              Next(ask: nil, request: $0, progress: .number)
            }
          } catch let error where !(error is EndOfPart) { failure = error }
        }
        mapped = rows
      }
      let count = mapped?.page.rowCount ?? 0
      if !paging.isRule ? paging.isPaging : index > 0 || next != nil {
        tell(of: paging.isRule ? count : walk.lastCount, index, response)
      }
      if index == 0, let next { progress = next.progress }
      // Of a part with one page, as most are, no page need be remembered.
      let isOnly = index == 0 && next == nil
      switch isOnly ? .new : try verdict(of: mapped, progress, &watch, &held) {
      case .new:
        if let held { try await rows.emit(held) }
        held = nil
        if let mapped { try await rows.emit(mapped) }
      case .held:
        if let held { try await rows.emit(held) }
        held = mapped
      case .repeats:
        held = nil
        return warn("page \(index + 1) repeats the page before it; taken for the end")
      case .end: return
      }
      if let failure { throw failure }
      rowsBefore += count
      index += 1
      guard var next else { break }
      if index >= mostPages { return context.noteMaxPages(index) }
      if paging.namesNext || paging.isRule,
        try !watch.follow(next.request.mark, shown: "\(next.request.url)")
      {
        // A scroll ends with a page without rows.
        if count == 0 { break }
        next.progress = .sameToken
      }
      request = next.request
      progress = next.progress
    }
    if watch.repeatsBelowTotal {
      warn(
        "pages have the same rows as the ones before, though the service says that there are more")
    }
    if let total = walk.missing {
      warn("the service says that there are \(total) records, and gave \(walk.records)")
    }
  }

  // MARK: - Asking

  private func request(_ ask: PageAsk) throws -> HTTPRequest {
    try source.endpoint.request(for: part, ask, in: window)
  }

  /// The answer to `request`, which was sent already when the page was asked for ahead.
  private mutating func answer(to request: HTTPRequest) async throws -> HTTPResponse {
    guard !sent.isEmpty else { return try await context.http.send(request) }
    let first = sent.removeFirst()
    return try await withTaskCancellationHandler {
      try await first.task.value
    } onCancel: {
      first.task.cancel()
    }
  }

  /// Asks for pages behind the one that was just answered, while its rows are still being read.
  ///
  /// Where a page names the next one, from the third page on: until then a server that ignores how
  /// it is asked has shown itself; not when few rows are wanted. Where the server says how many pages there
  /// are, as many at once as there may be requests, and as rows are wanted.
  private mutating func sendAhead(
    after index: Int, _ next: Next?, _ walk: PageWalk<Payload>, _ watch: PageGuard
  ) {
    if sent.first?.ask != next?.ask { dropSent() }
    guard let next, index + 1 < mostPages else { return }
    if paging.namesNext {
      guard index >= 2, walk.lastCount > 0, context.rowLimit == nil, watch.isNew(next.request.mark)
      else { return }
      return send(next.request, next.ask)
    }
    guard context.jobs > 1, walk.ahead(0) != nil else { return }
    let wanted = context.rowLimit.map { ($0 - walk.records) / max(1, walk.lastCount) + 1 } ?? .max
    while sent.count < min(context.jobs, wanted), index + 1 + sent.count < mostPages {
      guard let ask = sent.isEmpty ? next.ask : walk.ahead(sent.count - 1),
        let request = sent.isEmpty ? next.request : try? self.request(ask)
      else { return }
      send(request, ask)
    }
  }

  private mutating func send(_ request: HTTPRequest, _ ask: PageAsk?) {
    // Tasks begin in any order, requests must not.
    let http = InTurnClient(inner: context.http, turn: starts.next())
    sent.append(Sent(ask: ask, task: Task { try await http.send(request) }))
  }

  private mutating func dropSent() {
    for page in sent { page.task.cancel() }
    sent = []
  }

  private var mostPages: Int { min(context.maxPages ?? .max, paging.maxPages ?? .max) }

  // MARK: - Reading

  /// What the decoder makes of an answer; nil for one that says that it has nothing.
  private func decode(_ response: HTTPResponse) async throws -> Payload? {
    switch try AnswerJudge.verdict(on: response, expecting: source.decoder.expected) {
    case .empty: nil
    case .body: try await source.decoder.decode(response)
    }
  }

  /// The rows of a page, up to the most that are wanted of the part.
  private mutating func mapped(_ page: SourcePage) async throws -> PageRows<Source>.Mapped {
    var mapped = try await rows.map(page)
    mapped.trim(to: max(0, paging.limit - page.rowsBefore))
    rowCount += mapped.page.rowCount
    return mapped
  }

  private func verdict(
    of mapped: PageRows<Source>.Mapped?, _ progress: PageProgress, _ watch: inout PageGuard,
    _ held: inout PageRows<Source>.Mapped?
  ) throws -> PageGuard.Verdict {
    guard let mapped else { return try watch.take(.empty(Schema([])), progress) { 0 } }
    let (mapper, page) = (source.mapper, mapped.page)
    do {
      return try watch.take(mapped.whole, progress) { mapper.recordHash(of: page) }
    } catch {
      // The page in doubt is one of those that go round.
      held = nil
      throw error
    }
  }

  // MARK: - Telling

  private func warn(_ message: String) {
    let name = source.endpoint.name(of: part)
    context.log.warn("\(context.source): " + (name.isEmpty ? "" : "“\(name)”: ") + message)
  }

  private func tell(of count: Int, _ index: Int, _ response: HTTPResponse) {
    context.log.detail(
      "\(context.source): page \(index + 1): \(count) records from \(response.url)")
  }

  private mutating func noteCap() {
    if isCapTold { return }
    isCapTold = true
    context.log.note(
      "\(context.source): the server gives fewer records than it is asked for; "
        + "each page is asked for from where the one before ended")
  }
}

extension HTTPRequest {
  /// What tells a request from another one: method, address, header fields and body.
  var mark: String {
    var mark = "\(method) \(url)"
    for field in headers { mark += "\n\(field.name): \(field.value)" }
    if let body { mark += "\n\n" + String(decoding: body, as: UTF8.self) }
    return mark
  }
}
