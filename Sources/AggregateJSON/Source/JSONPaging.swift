internal import AggregateCore

/// How a ``JSONSource`` is read page by page.
///
/// Numbered pages are read until one is empty, however many records a page has: a service may give fewer than
/// it is asked for. `total` and `granted` spare the request for that empty page.
public enum JSONPaging: Sendable {
  /// One answer has everything.
  case single
  /// `limit=100&offset=200`: where a page begins, counted from `from`.
  ///
  /// The answer may say at the path `total` how many records there are, and at `granted` how many this page
  /// may have: one with fewer than that is the last.
  case offset(
    _ parameter: String = "offset", from: Int = 0, size: String = "limit", of: Int,
    total: String? = nil, granted: String? = nil)
  /// `page=2&per_page=50`: the number of the page, from `from` on; `total` as for offsets.
  case number(
    _ parameter: String = "page", from: Int = 1, size: String? = nil, of: Int, total: String? = nil)
  /// The address of the next page stands at this path of the answer; null or missing at the end.
  case next(at: String)
  /// What stands at this path of the answer is the value of a parameter of the next request.
  case cursor(at: String, _ parameter: String)

  /// Adds what asks for the first page.
  func begin(_ url: inout WebURL, limit: Int) { ask(&url, after: 0, limit: limit, page: 0) }

  /// The address of the page behind `page`; nil after the last.
  func next(after page: Page<JSONSourceEndpoint.Part, JSONDocument?>, limit: Int) -> WebURL? {
    let read = page.rowsBefore + page.rowCount
    guard read < limit, let root = page.payload?.root else { return nil }
    var url = page.request.url
    switch self {
    case .single: return nil
    case .offset(_, _, _, _, let total, let granted):
      if page.rowCount == 0 || Self.count(root, total).map({ read >= $0 }) ?? false { return nil }
      if let most = Self.count(root, granted), page.rowCount < most { return nil }
      ask(&url, after: read, limit: limit, page: page.index + 1)
    case .number(_, _, _, _, let total):
      if page.rowCount == 0 || Self.count(root, total).map({ read >= $0 }) ?? false { return nil }
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

  /// How many records the service says there are, when it gave no more and `page` is the last.
  func missing(after page: Page<JSONSourceEndpoint.Part, JSONDocument?>, limit: Int) -> Int? {
    let total: String? =
      switch self {
      case .offset(_, _, _, _, let total, _), .number(_, _, _, _, let total): total
      case .single, .next, .cursor: nil
      }
    guard let root = page.payload?.root, let count = Self.count(root, total) else { return nil }
    let read = page.rowsBefore + page.rowCount
    return read < min(count, limit) ? count : nil
  }

  private func ask(_ url: inout WebURL, after read: Int, limit: Int, page: Int) {
    switch self {
    case .offset(let parameter, let first, let size, let count, _, _):
      url.set(query: size, String(min(count, limit - read)))
      url.set(query: parameter, String(first + read))
    case .number(let parameter, let first, let size, let count, _):
      if let size { url.set(query: size, String(count)) }
      url.set(query: parameter, String(first + page))
    case .single, .next, .cursor: break
    }
  }

  private static func count(_ root: JSONNode, _ path: String?) -> Int? {
    path.flatMap { text(root, $0) }.flatMap { Int($0) }
  }

  private static func text(_ root: JSONNode, _ path: String) -> String? {
    let node = JSONField("next", .text, at: path, "The next page.").node(in: root)
    let text = node?.string ?? node?.numberText
    return text == "" ? nil : text
  }
}
