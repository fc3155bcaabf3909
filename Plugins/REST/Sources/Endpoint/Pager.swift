internal import AggregateCore
internal import AggregateJSON

/// How a source pages: from a page that was read to what is asked for next.
struct Pager: Sendable {
  enum Kind: Sendable {
    case none
    case page(Numbered)
    case offset(Numbered)
    case cursor(Cursor)
    case nextURL(JSONPath)
    case linkHeader(rel: String)
  }

  /// Pages that are asked for by a number: of the page, or of the records before it.
  struct Numbered: Sendable {
    let param: String
    let first: Int
    let sizeParam: String?
    let size: Int?
    /// Where the number of pages, or of all records, is.
    let total: JSONPath?
    let place: PagePlace
  }

  struct Cursor: Sendable {
    let from: JSONPath?
    let header: String?
    let param: String?
    let path: [String]?
    let place: PagePlace
  }

  /// Where paging stands: the page that is being read.
  struct Position: Sendable {
    /// The number of the page, from 0.
    var index = 0
    /// The page's number or offset, as it was sent.
    var number = 0
    /// The token that asked for it.
    var token: String?
  }

  /// What was read of a page.
  struct Reading {
    let response: HTTPResponse
    let root: JSONNode?
    /// How many records it had.
    let count: Int
    /// How many the first page had.
    let firstCount: Int
  }

  /// What comes next.
  enum Step {
    case end
    /// The page says that it is followed by itself.
    case endsInItself
    case changes([RequestTemplate.Change], Position)
    case link(String, Position)
  }

  let kind: Kind
  let stopWhen: BodyCondition?
  let stopOn: StopRule?
  let maxPages: Int?

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    guard let paginate = options.options("paginate", specs: RESTOptions.stop) else {
      kind = .none
      stopWhen = nil
      stopOn = nil
      maxPages = nil
      return
    }
    kind = Self.kind(paginate, &diagnostics)
    stopWhen = paginate.given("stop_when").flatMap {
      BodyCondition($0, name: "paginate.stop_when", &diagnostics)
    }
    stopOn = paginate.text("stop_on").flatMap(StopRule.init)
    maxPages = paginate.int("max_pages")
  }

  private static func kind(_ paginate: Options, _ diagnostics: inout Diagnostics) -> Kind {
    func place(_ options: Options) -> PagePlace {
      options.text("in").flatMap(PagePlace.init) ?? .query
    }
    if let page = paginate.options("page", specs: RESTOptions.page) {
      return .page(
        Numbered(
          param: page.text("param") ?? "page", first: page.int("first") ?? 1,
          sizeParam: page.text("size_param"), size: page.int("size"),
          total: path(page, "total_pages"), place: place(page)))
    }
    if let offset = paginate.options("offset", specs: RESTOptions.offset) {
      return .offset(
        Numbered(
          param: offset.text("param") ?? "offset", first: offset.int("first") ?? 0,
          sizeParam: offset.text("limit_param"), size: offset.int("limit"),
          total: path(offset, "total"), place: place(offset)))
    }
    if let cursor = paginate.options("cursor", specs: RESTOptions.cursor) {
      let from = cursor.text("from") ?? ""
      let header = from.hasPrefix("header:") ? String(from.dropFirst(7)) : nil
      let elements = path(cursor, "path")?.singularElements
      if cursor.given("path") != nil {
        if elements == nil {
          diagnostics.error(
            "cursor-path", "“paginate.cursor.path” must lead to one place, by names only",
            at: cursor.location("path"), hint: "such as $.variables.after")
        }
      } else if cursor.given("param") == nil {
        diagnostics.error(
          "missing-key", "“paginate.cursor” needs “param”, or “path” with “in: body”",
          at: cursor.node.location)
      }
      return .cursor(
        Cursor(
          from: header == nil ? path(cursor, "from") : nil, header: header,
          param: cursor.text("param"), path: elements,
          place: elements != nil ? .body : place(cursor)))
    }
    if let next = paginate.options("next_url", specs: []), let from = path(next, "from") {
      return .nextURL(from)
    }
    if let link = paginate.options("link_header", specs: RESTOptions.paginateLink) {
      return .linkHeader(rel: link.text("rel") ?? "next")
    }
    return .none
  }

  private static func path(_ options: Options, _ name: String) -> JSONPath? {
    options.text(name).flatMap { try? JSONPath(parsing: $0) }
  }

  /// Whether there may be more than one page.
  var isPaging: Bool { if case .none = kind { false } else { true } }

  /// Whether each page names the one behind it.
  var namesNext: Bool {
    switch kind {
    case .cursor, .nextURL, .linkHeader: true
    case .none, .page, .offset: false
    }
  }

  /// What the first request of a partition has beside the declared one.
  var first: (changes: [RequestTemplate.Change], position: Position) {
    switch kind {
    case .page(let numbered), .offset(let numbered):
      (
        changes(numbered, numbered.first),
        Position(index: 0, number: numbered.first)
      )
    default: ([], Position())
    }
  }

  private func changes(_ numbered: Numbered, _ number: Int) -> [RequestTemplate.Change] {
    var changes = [Self.change(numbered.place, [numbered.param], String(number), literal: true)]
    if let name = numbered.sizeParam, let size = numbered.size {
      changes.append(Self.change(numbered.place, [name], String(size), literal: true))
    }
    return changes
  }

  private static func change(
    _ place: PagePlace, _ path: [String], _ value: String, literal: Bool
  ) -> RequestTemplate.Change {
    switch place {
    case .query: .query(name: path.joined(separator: "."), value: value)
    case .header: .header(name: path.joined(separator: "."), value: value)
    case .body: .body(path: path, value: value, literal: literal)
    }
  }

  /// How many pages follow the first one, when it says so and their numbers are known; each may be
  /// asked for without reading the others.
  func pagesAfterFirst(_ first: Reading) -> Int? {
    switch kind {
    case .page(let numbered):
      guard let total = Self.number(numbered.total, first.root) else { return nil }
      if stops(at: first, numbered, hasTotal: true) { return 0 }
      return max(0, total - 1)
    case .offset(let numbered):
      guard let total = Self.number(numbered.total, first.root), first.count > 0 else { return nil }
      // A server that gives less than was asked for decides how far the next offset is.
      if let size = numbered.size, first.count != size { return nil }
      let (rest, overflow) = total.subtractingReportingOverflow(numbered.first)
      if overflow { return nil }
      return max(0, (rest + first.count - 1) / first.count - 1)
    default: return nil
    }
  }

  /// What asks for the page `index` of those that ``pagesAfterFirst(_:)`` counted.
  func changes(forPage index: Int, firstCount: Int) -> (
    changes: [RequestTemplate.Change], position: Position
  ) {
    switch kind {
    case .page(let numbered):
      let number = numbered.first &+ index
      return (changes(numbered, number), Position(index: index, number: number))
    case .offset(let numbered):
      let number = numbered.first &+ index &* (numbered.size ?? firstCount)
      return (changes(numbered, number), Position(index: index, number: number))
    default: return ([], Position(index: index))
    }
  }

  /// What follows the page at `position`.
  ///
  /// - Throws: ``AggregateError`` when what it names as the next is not usable.
  func step(after page: Reading, at position: Position) throws -> Step {
    if let stopWhen, let root = page.root,
      stopWhen.holds(
        in: root,
        variables: [
          ("page", .int(Int64(position.index + 1))), ("number", .int(Int64(position.number))),
          ("rows", .int(Int64(page.count))),
        ])
    {
      return .end
    }
    var next = position
    next.index += 1
    switch kind {
    case .none: return .end
    case .page(let numbered):
      let total = Self.number(numbered.total, page.root)
      if stops(at: page, numbered, hasTotal: total != nil) { return .end }
      if let total, next.index >= total { return .end }
      let (number, overflow) = position.number.addingReportingOverflow(1)
      if overflow { return .end }
      next.number = number
      return .changes(changes(numbered, number), next)
    case .offset(let numbered):
      let total = Self.number(numbered.total, page.root)
      if stops(at: page, numbered, hasTotal: total != nil) { return .end }
      let asked = numbered.size ?? (page.count > 0 ? page.count : page.firstCount)
      let (number, overflow) = position.number.addingReportingOverflow(
        page.count > 0 && page.count < asked && total != nil ? page.count : max(1, asked))
      if overflow { return .end }
      if let total, number >= total { return .end }
      next.number = number
      return .changes(changes(numbered, number), next)
    case .cursor(let cursor):
      if stopOn == .empty, page.count == 0 { return .end }
      if stopOn == .short, page.count < page.firstCount { return .end }
      guard let token = try Self.token(cursor, page) else { return .end }
      if token == position.token { return .endsInItself }
      next.token = token
      let path = cursor.path ?? [cursor.param ?? "cursor"]
      return .changes([Self.change(cursor.place, path, token, literal: false)], next)
    case .nextURL(let path):
      if stopOn == .empty, page.count == 0 { return .end }
      guard let root = page.root, let node = path.firstNode(in: root), !node.isNull,
        node.bool != false, node.string != ""
      else { return .end }
      guard let link = node.string else {
        throw AggregateError(
          .pagination, "“\(path)” is \(node.shown), where the address of the next page is expected")
      }
      return .link(link, next)
    case .linkHeader(let rel):
      if stopOn == .empty, page.count == 0 { return .end }
      guard let header = page.response.header("Link"),
        let link = LinkHeader.target(of: rel, in: header), !link.isEmpty
      else { return .end }
      return .link(link, next)
    }
  }

  /// Whether a page is the last by the number of its records: by the rule that is declared, else an
  /// empty page is, unless the server says how much there is.
  private func stops(at page: Reading, _ numbered: Numbered, hasTotal: Bool) -> Bool {
    switch stopOn ?? (hasTotal ? .never : .empty) {
    case .never: return false
    case .empty: return page.count == 0
    case .short: return page.count < (numbered.size ?? max(1, page.firstCount))
    }
  }

  private static func number(_ path: JSONPath?, _ root: JSONNode?) -> Int? {
    guard let path, let root, let node = path.firstNode(in: root) else { return nil }
    if let value = node.int64 { return Int(value) }
    return node.string.flatMap { Int($0) }
  }

  private static func token(_ cursor: Cursor, _ page: Reading) throws -> String? {
    if let header = cursor.header {
      return page.response.header(header).flatMap { $0.isEmpty ? nil : $0 }
    }
    guard let path = cursor.from, let root = page.root, let node = path.firstNode(in: root),
      !node.isNull, node.bool == nil
    else { return nil }
    if let number = node.numberText { return number }
    guard let token = node.string else {
      throw AggregateError(
        .pagination, "“\(path)” is \(node.shown), where the token of the next page is expected")
    }
    return token.isEmpty ? nil : token
  }
}
