internal import AggregateCore

/// Reads the pages of one partition, watches them, and emits their rows.
struct PartitionReader {
  let provider: RESTProvider
  private(set) var partition: RESTPartition
  let context: ProviderContext
  let gate: SchemaGate
  private var watch = Self.newGuard()
  private var firstCount = 0
  /// What of the time is asked for, when the source is incremental.
  private var window: IncrementalWindow?
  /// Whether all pages were read.
  private var isComplete = true
  /// The request for the next page, sent while this one is read.
  private var ahead:
    (request: HTTPRequest, position: Pager.Position, task: Task<HTTPResponse, any Error>)?

  init(
    _ provider: RESTProvider, _ partition: RESTPartition, _ context: ProviderContext,
    _ gate: SchemaGate
  ) {
    self.provider = provider
    self.partition = partition
    self.context = context
    self.gate = gate
  }

  /// What taking in a page gave.
  private enum Taken {
    case read(Pager.Reading)
    /// Nothing comes behind it.
    case last
  }

  private var pager: Pager { provider.pager }

  private var maxPages: Int {
    min(context.maxPages ?? .max, pager.maxPages ?? .max)
  }

  /// Reads all pages; of an incremental source, one window of the time after the other.
  mutating func run() async throws {
    guard provider.readsIncrementally, let cursors = context.incremental else {
      return try await readPages()
    }
    let name = provider.forEach.name(of: partition.values)
    var next = try cursors.window(after: nil, of: name)
    while let window = next {
      self.window = window
      partition = partition.in(window)
      watch = Self.newGuard()
      try await readPages()
      next = try cursors.window(after: window, of: name)
    }
    // The cursor may move only behind rows that were given.
    try await flush()
    if isComplete { cursors.finish(name) }
  }

  private mutating func readPages() async throws {
    defer {
      ahead?.task.cancel()
      ahead = nil
    }
    let (changes, start) = pager.first
    var position = start
    var request = try self.request(changes)
    var response = try await context.http.send(request)
    guard case .read(let first) = try await take(response, position) else { return }
    guard pager.isPaging else { return }
    _ = try watch.follow(request.mark, shown: request.url.description)
    var reading = first
    if context.jobs > 1, let count = pager.pagesAfterFirst(first), count > 1 {
      guard let (last, place) = try await readAhead(count, first) else { return }
      reading = last
      position = place
    }
    while true {
      switch try ahead.map({ .page($0.request, $0.position) })
        ?? following(reading, at: position)
      {
      case .end: return
      case .endsInItself: return warnOfItself(position)
      case .page(let asked, let next):
        request = asked
        position = next
      }
      if position.index >= maxPages { return noteLimit() }
      guard try watch.follow(request.mark, shown: request.url.description) else {
        return warnOfItself(position)
      }
      response = try await send(request)
      guard case .read(let next) = try await take(response, position) else { return }
      reading = next
    }
  }

  /// What is to be asked behind a page.
  private enum Following {
    case end
    /// The page names itself as the next one.
    case endsInItself
    case page(HTTPRequest, Pager.Position)
  }

  private func following(
    _ reading: Pager.Reading, at position: Pager.Position
  ) throws -> Following {
    switch try pager.step(after: reading, at: position) {
    case .end: return .end
    case .endsInItself: return .endsInItself
    case .changes(let changes, let next): return .page(try request(changes), next)
    case .link(let link, let next):
      var request = try provider.template.request(
        following: link, from: reading.response.url, partition.values, window)
      request.judge = provider.errors.judge
      return .page(request, next)
    }
  }

  /// The answer to `request`, which was sent already when a page was asked for ahead.
  private mutating func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let ahead else { return try await context.http.send(request) }
    self.ahead = nil
    return try await withTaskCancellationHandler {
      try await ahead.task.value
    } onCancel: {
      ahead.task.cancel()
    }
  }

  /// Asks for the page behind `reading` while its rows are still being read.
  ///
  /// Only where a page names the next one, from the third page on: until then a server that ignores how
  /// it is asked has shown itself. Not when few rows are wanted.
  private mutating func sendAhead(after reading: Pager.Reading, at position: Pager.Position) {
    guard pager.namesNext, position.index >= 2, reading.count > 0, context.rowLimit == nil,
      maxPages > position.index + 1
    else { return }
    // What is wrong with the next page is told when its turn comes.
    guard case .page(let request, let next)? = try? following(reading, at: position),
      watch.isNew(request.mark)
    else { return }
    let http = context.http
    ahead = (request, next, Task { try await http.send(request) })
  }

  private func request(_ changes: [RequestTemplate.Change]) throws -> HTTPRequest {
    try Self.request(provider, partition, window, changes)
  }

  private static func request(
    _ provider: RESTProvider, _ partition: RESTPartition, _ window: IncrementalWindow?,
    _ changes: [RequestTemplate.Change]
  ) throws -> HTTPRequest {
    var request = try provider.template.request(partition.values, changes, window)
    request.judge = provider.errors.judge
    return request
  }

  private func warnOfItself(_ position: Pager.Position) {
    context.log.warn(
      "\(context.source): page \(max(1, position.index)) names itself as the next page; taken for the last"
    )
  }

  private static func newGuard() -> PageGuard {
    PageGuard(hint: "check the names under “paginate”")
  }

  private mutating func noteLimit() {
    isComplete = false
    context.noteMaxPages(maxPages)
  }

  /// Reads the pages behind the first one, several at a time; gives the last one, nil at an end.
  private mutating func readAhead(
    _ count: Int, _ first: Pager.Reading
  ) async throws -> (Pager.Reading, Pager.Position)? {
    // One more than may be read tells whether the limit cut something off.
    let wanted = min(count, maxPages - 1)
    if wanted < 1 {
      noteLimit()
      return nil
    }
    let http = context.http
    let plans = pager
    let firstCount = first.count
    let partition = self.partition
    let provider = self.provider
    let window = self.window
    let starts = StartOrder()
    var last: (Pager.Reading, Pager.Position)?
    var ended = false
    try await withThrowingTaskGroup(of: (Int, HTTPResponse).self) { group in
      var started = 0
      var ready: [Int: HTTPResponse] = [:]
      func start() {
        started += 1
        let index = started
        // Tasks begin in any order, requests must not.
        let turn = starts.next()
        group.addTask {
          defer { turn.begin() }
          let (changes, _) = plans.changes(forPage: index, firstCount: firstCount)
          var request = try Self.request(provider, partition, window, changes)
          request.onStart = { turn.begin() }
          await turn.wait()
          return (index, try await http.send(request))
        }
      }
      while started < min(wanted, context.jobs) { start() }
      for index in 1...wanted {
        while ready[index] == nil {
          guard let (found, response) = try await group.next() else { return }
          ready[found] = response
        }
        guard let response = ready.removeValue(forKey: index) else { return }
        let (_, position) = plans.changes(forPage: index, firstCount: firstCount)
        guard case .read(let reading) = try await take(response, position) else {
          ended = true
          break
        }
        last = (reading, position)
        if index < wanted, case .end = try plans.step(after: reading, at: position) {
          ended = true
          break
        }
        if started < wanted { start() }
      }
      group.cancelAll()
    }
    if !ended, wanted < count {
      noteLimit()
      return nil
    }
    return ended ? nil : last
  }

  /// Decodes a page, compares it with those before it, and emits its rows.
  private mutating func take(
    _ response: HTTPResponse, _ position: Pager.Position
  ) async throws -> Taken {
    if let rule = provider.errors.first(matching: response) {
      switch rule.action {
      case .skip, .stop:
        context.log.detail(
          "\(context.source): \(rule.message ?? "left out"): \(response.status) \(response.url)")
        return .last
      case .fail, .retry, .refreshAuth:
        throw AggregateError(
          .rejected, rule.message ?? "an answer matches a rule of “errors”: \(response.url)",
          status: response.status)
      }
    }
    let payload = try await provider.decoder.decode(response, log: context.log)
    if payload.count == 0, let root = payload.root,
      let warning = provider.decoder.selection.warning(for: root)
    {
      context.log.warn("\(context.source): \(warning)")
    }
    if position.index == 0 { firstCount = payload.count }
    let reading = Pager.Reading(
      response: response, root: payload.root, count: payload.count, firstCount: firstCount)
    sendAhead(after: reading, at: position)
    let read = ReadPage(
      payload: payload, values: partition.values, window: window, origin: WorkOrigin(response))
    let (batches, isHeld) = try await rows(of: read)
    if pager.isPaging {
      let whole = batches.count == 1 ? batches[0] : nil
      let verdict = try watch.take(
        whole ?? .empty(Schema([])), records: payload.recordHash)
      if case .repeatsLast = verdict {
        context.log.warn(
          "\(context.source): page \(position.index + 1) repeats the page before it; taken for the end"
        )
        return .last
      }
      context.log.detail(
        "\(context.source): page \(position.index + 1): \(payload.count) records from \(response.url)"
      )
    }
    if isHeld {
      if payload.count > 0 { await gate.hold(read) }
    } else {
      try await emit(batches, of: read)
    }
    return .read(reading)
  }

  /// The rows of a page; held when its columns are not known for sure yet.
  private func rows(of page: ReadPage) async throws -> (batches: [Batch], isHeld: Bool) {
    guard provider.mapper.schema == nil, page.payload.count > 0 else {
      return (try batches(of: page, nil), false)
    }
    let answer = await gate.look(at: page.payload, of: partition.index)
    if case .sofar(let schema) = answer { return (try batches(of: page, schema), true) }
    return (try batches(of: page, try await settled(answer)), false)
  }

  private func batches(of page: ReadPage, _ discovered: Schema?) throws -> [Batch] {
    try provider.mapper.rows(
      of: page.payload, page.values, discovered: discovered, log: context.log)
  }

  /// Publishes columns that were decided just now, and emits the pages that waited for them.
  func settled(_ answer: SchemaGate.Answer) async throws -> Schema {
    switch answer {
    case .sofar(let schema), .decided(let schema): return schema
    case .first(let schema, let held):
      _ = try await context.publish(schema)
      for page in held { try await emit(try batches(of: page, schema), of: page) }
      return schema
    }
  }

  /// Emits the pages that wait for more records, for there are none in this partition.
  func flush() async throws {
    if let answer = await gate.decide(at: partition.index) { _ = try await settled(answer) }
  }

  private func emit(_ batches: [Batch], of page: ReadPage) async throws {
    for batch in batches where batch.rowCount > 0 {
      var batch = batch
      if let window = page.window, let cursors = context.incremental {
        let name = provider.forEach.name(of: page.values)
        batch = try cursors.admit(batch, of: name, in: window)
        if batch.rowCount == 0 { continue }
      }
      try await context.emit(batch, from: page.origin)
    }
  }
}

extension HTTPRequest {
  /// What tells a request from another one: method, address, header fields and body.
  fileprivate var mark: String {
    var mark = "\(method) \(url)"
    for field in headers { mark += "\n\(field.name): \(field.value)" }
    if let body { mark += "\n\n" + String(decoding: body, as: UTF8.self) }
    return mark
  }
}
