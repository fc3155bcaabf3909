public import AggregateCore

extension JSONNode {
  /// What it says about pages; nil for null.
  public var pagingValue: PagingValue? {
    if isNull { return nil }
    if let flag = bool { return .flag(flag) }
    if let number = numberText { return .number(number) }
    if let text = string { return .text(text) }
    return .other(shown: shown)
  }
}

/// How answers in JSON are read page by page.
///
/// `records` is the path of the list of records; a ``JSONSource`` knows it. Numbered pages are read until one is empty, however many records a page has: a service may give fewer than
/// it is asked for. `total` and `granted` spare the request for that empty page.
extension Paging where Payload == JSONDocument {
  /// `limit=100&offset=200`: where a page begins, counted from `from`.
  ///
  /// The answer may say at the path `total` how many records there are, and at `granted` how many this page
  /// may have: one with fewer than that is the last.
  public static func offset(
    _ parameter: String = "offset", from first: Int = 0, size: String = "limit", of most: Int,
    total: String? = nil, granted: String? = nil, records: String = ""
  ) -> Paging {
    var numbered = Numbered(parameter, first: first, sizeParam: size, size: most)
    numbered.base = first
    numbered.hasSizeFirst = true
    numbered.total = total.map(field)
    numbered.granted = granted.map(field)
    return Paging(.offset(numbered), count: count(records))
  }

  /// `page=2&per_page=50`: the number of the page, from `from` on; `total` as for offsets.
  public static func number(
    _ parameter: String = "page", from first: Int = 1, size: String? = nil, of most: Int,
    total: String? = nil, records: String = ""
  ) -> Paging {
    var numbered = Numbered(parameter, first: first, sizeParam: size, size: most)
    numbered.hasSizeFirst = true
    numbered.total = total.map(field)
    return Paging(.page(numbered), count: count(records))
  }

  /// The address of the next page stands at this path of the answer; null or missing at the end.
  public static func next(at path: String) -> Paging {
    Paging(.nextURL(field(path)), count: count(""))
  }

  /// What stands at this path of the answer is the value of a parameter of the next request.
  public static func cursor(at path: String, _ parameter: String) -> Paging {
    Paging(.cursor(Cursor(from: field(path), param: parameter)), count: count(""))
  }

  private static func field(_ path: String) -> Field {
    let place = JSONField("paging", .text, at: path, "Something about the pages.")
    return Field(path) { place.node(in: $0.root)?.pagingValue }
  }

  /// How many records stand at a path.
  static func count(_ records: String) -> @Sendable (JSONDocument) -> Int {
    let list = JSONField("records", .list, at: records, "The records.")
    return { list.node(in: $0.root)?.count ?? 0 }
  }
}
