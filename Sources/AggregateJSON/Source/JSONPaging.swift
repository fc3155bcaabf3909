internal import AggregateCore

/// How a ``JSONSource`` is read page by page.
public enum JSONPaging: Sendable {
  /// One answer has everything.
  case single
  /// `limit=100&offset=200`: where a page begins, counted from `from`. One that is not full is the last.
  case offset(_ parameter: String = "offset", from: Int = 0, size: String = "limit", of: Int)
  /// `page=2&per_page=50`: the number of the page, from `from` on. One that is not full is the last.
  case number(_ parameter: String = "page", from: Int = 1, size: String? = nil, of: Int)
  /// The address of the next page stands at this path of the answer; null or missing at the end.
  case next(at: String)
  /// What stands at this path of the answer is the value of a parameter of the next request.
  case cursor(at: String, _ parameter: String)

  /// Adds what asks for the first page.
  func begin(_ url: inout WebURL, limit: Int) {
    switch self {
    case .offset: ask(&url, after: 0, limit: limit, page: 0)
    case .number: ask(&url, after: 0, limit: limit, page: 0)
    case .single, .next, .cursor: break
    }
  }

  /// The address of the page behind `page`; nil after the last.
  func next(after page: Page<JSONSourceEndpoint.Part, JSONDocument?>, limit: Int) -> WebURL? {
    let read = page.rowsBefore + page.rowCount
    // Elements, not rows: the last page may have been cut to the limit.
    guard page.rowCount > 0, read < limit, let root = page.payload?.root else { return nil }
    var url = page.request.url
    switch self {
    case .single: return nil
    case .offset(_, _, _, let size):
      // A page that is longer than asked for has everything.
      guard page.rowCount == min(size, limit - page.rowsBefore) else { return nil }
      ask(&url, after: read, limit: limit, page: page.index + 1)
    case .number(_, _, _, let size):
      guard page.rowCount == size else { return nil }
      ask(&url, after: read, limit: limit, page: page.index + 1)
    case .next(let path):
      guard let text = Self.text(root, path) else { return nil }
      return page.response.url.resolving(text)
    case .cursor(let path, let parameter):
      guard let text = Self.text(root, path) else { return nil }
      url.set(query: parameter, text)
    }
    return url
  }

  private func ask(_ url: inout WebURL, after read: Int, limit: Int, page: Int) {
    switch self {
    case .offset(let parameter, let first, let size, let count):
      url.set(query: size, String(min(count, limit - read)))
      url.set(query: parameter, String(first + read))
    case .number(let parameter, let first, let size, let count):
      if let size { url.set(query: size, String(count)) }
      url.set(query: parameter, String(first + page))
    case .single, .next, .cursor: break
    }
  }

  private static func text(_ root: JSONNode, _ path: String) -> String? {
    let node = JSONField("next", .text, at: path, "The next page.").node(in: root)
    let text = node?.string ?? node?.numberText
    return text == "" ? nil : text
  }
}
