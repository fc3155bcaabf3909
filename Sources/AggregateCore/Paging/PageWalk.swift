/// Walks the pages of a part: what is asked for next, after each answer. Asks nobody.
struct PageWalk<Payload: Sendable>: Sendable {
  /// A page to ask for.
  struct Next {
    let ask: PageAsk
    let progress: PageProgress
  }

  private typealias Numbered = Paging<Payload>.Numbered
  private typealias Cursor = Paging<Payload>.Cursor

  private let paging: Paging<Payload>
  /// The number of the page that is being read, from 0.
  private(set) var index = 0
  /// How many records the pages had so far.
  private(set) var records = 0
  /// How many records the server says there are.
  private var total: Int?
  /// Whether the server gives fewer records than it is asked for.
  private(set) var isCapped = false
  /// Whether a rule of the user ended the pages before the server did.
  private var isCutShort = false
  /// The number or the offset of the page that is being read, as it was sent.
  private var number = 0
  /// How many records the first page had.
  private var firstCount = 0
  /// How many the page had that was read last.
  private(set) var lastCount = 0
  /// How many pages there are behind the one that was read, when their numbers are known.
  private var known = 0

  init(_ paging: Paging<Payload>) {
    self.paging = paging
    switch paging.kind {
    case .page(let numbered), .offset(let numbered): number = numbered.first
    case .single, .rule, .cursor, .nextURL, .linkHeader: break
    }
  }

  /// How the first page is asked for.
  var first: PageAsk {
    switch paging.kind {
    case .page(let numbered), .offset(let numbered): ask(numbered, number, before: 0)
    case .single, .rule, .cursor, .nextURL, .linkHeader: .changes([])
    }
  }

  /// What follows the page that was answered with `payload`, nil for an answer without a body.
  ///
  /// - Throws: ``AggregateError`` with code `pagination` when what it names as the next is not usable.
  mutating func next(after payload: Payload?, _ response: HTTPResponse) throws -> Next? {
    let count = payload.map(paging.count) ?? 0
    if index == 0 { firstCount = count }
    if count > 0, wasShort { isCapped = true }
    lastCount = count
    records += count
    known = 0
    let isLast = payload.map { paging.stopWhen?.holds($0, index, number, count) ?? false } ?? false
    if isLast { isCutShort = true }
    let next = try follower(payload, response, count)
    guard !isLast, records < paging.limit else { return nil }
    if next != nil { index += 1 }
    return next
  }

  /// What asks for the page `distance` pages behind the next one; nil when that is not known.
  ///
  /// It holds as long as the pages before it have as many records as the last one that was read.
  func ahead(_ distance: Int) -> PageAsk? {
    guard distance + 1 < known else { return nil }
    let pages = distance + 1
    switch paging.kind {
    case .page(let numbered):
      return ask(numbered, number &+ pages, before: records + pages * (numbered.size ?? lastCount))
    case .offset(let numbered):
      let rows = pages * lastCount
      return ask(numbered, number &+ rows, before: records + rows)
    case .single, .rule, .cursor, .nextURL, .linkHeader: return nil
    }
  }

  /// How many records the server says there are, when fewer came before the pages ended; else nil.
  var missing: Int? {
    guard let total, !isCutShort else { return nil }
    var before = 0
    if case .offset(let numbered) = paging.kind { before = max(0, numbered.first - numbered.base) }
    return before + records < total && records < paging.limit ? total : nil
  }

  private mutating func follower(
    _ payload: Payload?, _ response: HTTPResponse, _ count: Int
  ) throws -> Next? {
    switch paging.kind {
    case .single, .rule: return nil
    case .page(let numbered): return try page(numbered, payload, count)
    case .offset(let numbered): return try offset(numbered, payload, count)
    case .cursor(let cursor):
      guard !stops(count), let token = try token(cursor, payload, response) else { return nil }
      let path = cursor.path ?? [cursor.param ?? "cursor"]
      return Next(
        ask: .changes([cursor.place.change(path, token, literal: false)]), progress: .token)
    case .nextURL(let field):
      guard !stops(count),
        let link = try field.text(payload, wanted: "the address of the next page", isAddress: true)
      else { return nil }
      return Next(ask: .link(link, from: response.url), progress: .token)
    case .linkHeader(let rel):
      guard !stops(count), let header = response.header("Link"),
        let link = LinkHeader.target(of: rel, in: header), !link.isEmpty
      else { return nil }
      return Next(ask: .link(link, from: response.url), progress: .token)
    }
  }

  private func token(
    _ cursor: Cursor, _ payload: Payload?, _ response: HTTPResponse
  ) throws -> String? {
    if let header = cursor.header {
      return response.header(header).flatMap { $0.isEmpty ? nil : $0 }
    }
    return try cursor.from?.text(payload, wanted: "the token of the next page")
  }

  /// Whether the declared rule makes a page with so many records the last, where pages name the next.
  private func stops(_ count: Int) -> Bool {
    switch paging.stopOn {
    case .empty: count == 0
    case .short: count < firstCount
    case .never, nil: false
    }
  }

  // MARK: - By numbers

  private mutating func page(
    _ numbered: Numbered, _ payload: Payload?, _ count: Int
  ) throws -> Next? {
    // Pages are counted from 0, or else up to the number that the server gives.
    let pages = try numbered.totalPages?.count(payload).map {
      numbered.first == 0 ? $0 : $0.subtractingReportingOverflow(numbered.first - 1).partialValue
    }
    total = try numbered.total?.count(payload) ?? total
    let more = try numbered.more?.says(payload)
    let isTold = pages != nil || total != nil
    if more == false || stops(count, numbered, isTold) { return nil }
    if let pages {
      if index + 1 >= pages { return nil }
      known = pages - index - 1
    }
    if let total, records >= total { return nil }
    let (next, overflow) = number.addingReportingOverflow(1)
    if overflow { return nil }
    number = next
    return Next(ask: ask(numbered, next, before: records), progress: progress(isTold))
  }

  private mutating func offset(
    _ numbered: Numbered, _ payload: Payload?, _ count: Int
  ) throws -> Next? {
    total = try numbered.total?.count(payload) ?? total
    let more = try numbered.more?.says(payload)
    let isTold = total != nil
    if more == false || stops(count, numbered, isTold) { return nil }
    if let granted = try numbered.granted?.count(payload), count < granted { return nil }
    let size = max(1, numbered.size ?? firstCount)
    // From where the page ended: a server may give fewer than it is asked for.
    let step = numbered.hasFixedSteps || count == 0 ? size : count
    let (next, overflow) = number.addingReportingOverflow(step)
    if overflow { return nil }
    if let total {
      let left = total.subtractingReportingOverflow(next - numbered.base).partialValue
      if more != true, records >= total || left <= 0 { return nil }
      if count == size, left > 0 {
        known = (min(left, paging.limit - min(records, paging.limit)) - 1) / size + 1
      }
    }
    number = next
    return Next(ask: ask(numbered, next, before: records), progress: progress(isTold))
  }

  /// Whether a page is the last by the number of its records: by the rule that is declared, else an empty
  /// page is, unless the server says how much there is.
  private func stops(_ count: Int, _ numbered: Numbered, _ isTold: Bool) -> Bool {
    switch paging.stopOn ?? (isTold ? .never : .empty) {
    case .never: false
    case .empty: count == 0
    case .short: count < (numbered.size ?? max(1, firstCount))
    }
  }

  private func progress(_ isTold: Bool) -> PageProgress {
    isTold && !paging.recordsDiffer ? .total : .number
  }

  /// Whether the page that was read last had fewer records than it was asked for.
  private var wasShort: Bool {
    guard index > 0, lastCount > 0, case .offset(let numbered) = paging.kind,
      let size = numbered.size, !numbered.hasFixedSteps
    else { return false }
    return lastCount < wanted(size, before: records - lastCount)
  }

  private func wanted(_ size: Int, before: Int) -> Int {
    paging.limit == .max ? size : min(size, max(1, paging.limit - before))
  }

  private func ask(_ numbered: Numbered, _ number: Int, before: Int) -> PageAsk {
    var changes = [numbered.place.change([numbered.param], String(number), literal: true)]
    if let name = numbered.sizeParam, let size = numbered.size {
      let isPage = if case .page = paging.kind { true } else { false }
      // The size of numbered pages must stay the same: it says where each begins.
      let count = isPage ? size : wanted(size, before: before)
      let change = numbered.place.change([name], String(count), literal: true)
      changes.insert(change, at: numbered.hasSizeFirst ? 0 : 1)
    }
    return .changes(changes)
  }
}
