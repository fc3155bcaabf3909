internal import AggregateCore
internal import AggregateJSON

/// From `paginate` to how the pages follow each other.
struct PagingOptions {
  private typealias Field = Paging<RESTPayload>.Field
  private typealias Numbered = Paging<RESTPayload>.Numbered

  /// How the pages follow each other.
  private(set) var paging = Paging<RESTPayload>.single

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    guard let paginate = options.options("paginate", specs: RESTOptions.stop),
      let kind = Self.kind(paginate, &diagnostics)
    else { return }
    paging = Paging(kind) { $0.count }
    paging.stopWhen = paginate.given("stop_when")
      .flatMap { BodyCondition($0, name: "paginate.stop_when", &diagnostics) }
      .map(Self.condition)
    paging.stopOn = paginate.text("stop_on").flatMap(StopRule.init)
    paging.maxPages = paginate.int("max_pages")
    paging.hint = "check the names under “paginate”"
  }

  private static func condition(_ condition: BodyCondition) -> Paging<RESTPayload>.Condition {
    Paging.Condition(condition.text) { payload, index, number, records in
      guard let root = payload.root else { return false }
      return condition.holds(
        in: root,
        variables: [
          ("page", .int(Int64(index + 1))), ("number", .int(Int64(number))),
          ("rows", .int(Int64(records))),
        ])
    }
  }

  private static func kind(
    _ paginate: Options, _ diagnostics: inout Diagnostics
  ) -> Paging<RESTPayload>.Kind? {
    if let page = paginate.options("page", specs: RESTOptions.page) {
      var numbered = Numbered(
        page.text("param") ?? "page", first: page.int("first") ?? 1,
        sizeParam: page.text("size_param"), size: page.int("size"))
      numbered.totalPages = field(page, "total_pages")
      numbered.place = place(page)
      return .page(numbered)
    }
    if let offset = paginate.options("offset", specs: RESTOptions.offset) {
      var numbered = Numbered(
        offset.text("param") ?? "offset", first: offset.int("first") ?? 0,
        sizeParam: offset.text("limit_param"), size: offset.int("limit"))
      // Whoever begins at 1 counts from 1.
      numbered.base = numbered.first == 1 ? 1 : 0
      numbered.total = field(offset, "total")
      numbered.place = place(offset)
      numbered.hasFixedSteps = offset.text("step") == "limit"
      return .offset(numbered)
    }
    if let cursor = paginate.options("cursor", specs: RESTOptions.cursor) {
      return .cursor(Self.cursor(cursor, &diagnostics))
    }
    if let next = paginate.options("next_url", specs: []), let from = field(next, "from") {
      return .nextURL(from)
    }
    return paginate.options("link_header", specs: RESTOptions.paginateLink)
      .map { .linkHeader(rel: $0.text("rel") ?? "next") }
  }

  private static func cursor(
    _ options: Options, _ diagnostics: inout Diagnostics
  ) -> Paging<RESTPayload>.Cursor {
    let from = options.text("from") ?? ""
    let header = from.hasPrefix("header:") ? String(from.dropFirst(7)) : nil
    let path = path(options, "path")?.singularElements
    if options.given("path") != nil {
      if path == nil {
        diagnostics.error(
          "cursor-path", "“paginate.cursor.path” must lead to one place, by names only",
          at: options.location("path"), hint: "such as $.variables.after")
      }
    } else if options.given("param") == nil {
      diagnostics.error(
        "missing-key", "“paginate.cursor” needs “param”, or “path” with “in: body”",
        at: options.node.location)
    }
    var cursor = Paging<RESTPayload>.Cursor(
      from: header == nil ? field(options, "from") : nil, header: header,
      param: options.text("param"), path: path)
    cursor.place = path != nil ? .body : place(options)
    return cursor
  }

  private static func place(_ options: Options) -> PagePlace {
    options.text("in").flatMap(PagePlace.init) ?? .query
  }

  private static func path(_ options: Options, _ name: String) -> JSONPath? {
    options.text(name).flatMap { try? JSONPath(parsing: $0) }
  }

  private static func field(_ options: Options, _ name: String) -> Field? {
    path(options, name).map { path in
      Field(path.description) { payload in
        payload.root.flatMap { path.firstNode(in: $0) }?.pagingValue
      }
    }
  }
}
