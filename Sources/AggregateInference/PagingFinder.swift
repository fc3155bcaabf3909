import AggregateCore
import AggregateJSON

/// How a source pages, as it is declared.
struct InferredPaging {
  /// The value of `paginate:`, in one line.
  let yaml: String
  /// What it was seen from.
  let evidence: String
  /// Parameters of the address that paging sets itself.
  var parameters: Set<String> = []
}

/// Finds how a source pages: from links, from fields beside the records, and by asking for a second page.
struct PagingFinder {
  /// Asks for an address; nil when the answer is no data.
  typealias Ask = (WebURL) async throws -> (records: [JSONNode], root: JSONNode)?

  let url: WebURL
  let response: HTTPResponse
  let root: JSONNode
  let records: [JSONNode]
  let ask: Ask
  /// How many requests may be sent.
  var budget = 3

  /// A field beside the records.
  private struct Field {
    let keys: [String]
    let value: JSONNode
    var name: String { FieldName.words(keys.last ?? "").joined() }
    var path: String { RecordPlace.path(keys) }
  }

  /// How it pages; nil when nothing says so.
  mutating func find() async throws -> InferredPaging? {
    if let found = linkHeader() { return found }
    let fields = fields()
    if let found = nextURL(fields) { return found }
    if let found = try await cursor(fields) { return found }
    if let found = try await offset(fields) { return found }
    return try await page(fields)
  }

  private func linkHeader() -> InferredPaging? {
    guard let link = response.header("Link") else { return nil }
    let squeezed = link.lowercased().replacing(" ", with: "")
    guard squeezed.contains("rel=\"next\"") || squeezed.contains("rel=next") else { return nil }
    return InferredPaging(
      yaml: "{ link_header: {} }", evidence: "the answer has a Link header with rel=\"next\"")
  }

  private func nextURL(_ fields: [Field]) -> InferredPaging? {
    let names: Set<String> = [
      "next", "nexturl", "nexturi", "nextlink", "nextpage", "nextpageurl", "nextpagelink",
      "nextpageuri", "nexthref", "odatanextlink",
    ]
    for field in fields {
      let isNext =
        names.contains(field.name)
        || field.name == "href" && field.keys.dropLast().last?.lowercased() == "next"
      guard isNext else { continue }
      let yaml = "{ next_url: { from: \(YAMLText.path(field.path, inBraces: true)) } }"
      if let text = field.value.string {
        guard
          text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("/")
            || text.hasPrefix("?"), let next = url.resolving(text)
        else { continue }
        let other = next.hasOrigin(of: url) ? "" : "; it leads to another host, \(next.host)"
        return InferredPaging(
          yaml: yaml, evidence: "\(field.path) is the address of the next page\(other)")
      }
      let hasPrevious = fields.contains {
        $0.keys.dropLast() == field.keys.dropLast()
          && ["previous", "prev", "previousurl", "prevurl", "prevpageurl", "previouslink"]
            .contains($0.name)
      }
      if field.value.isNull, hasPrevious {
        return InferredPaging(
          yaml: yaml,
          evidence: "\(field.path) is null, as on a last page; there is one before it, too")
      }
    }
    return nil
  }

  private mutating func cursor(_ fields: [Field]) async throws -> InferredPaging? {
    let names: Set<String> = [
      "next", "nextcursor", "cursor", "endcursor", "after", "nextpagetoken", "nexttoken",
      "pagetoken",
      "continuation", "continuationtoken", "continuetoken", "nextpage", "marker", "nextmarker",
      "nextmaxid", "scrollid", "bookmark",
    ]
    for field in fields where names.contains(field.name) {
      guard let token = field.value.string ?? field.value.numberText, !token.isEmpty,
        Int(token) == nil || field.name != "nextpage"
      else { continue }
      for parameter in Self.parameters(field.keys.last ?? "") {
        guard let other = try await second([(parameter, token)]) else { continue }
        let from = YAMLText.path(field.path, inBraces: true)
        return InferredPaging(
          yaml: "{ cursor: { param: \(YAMLText.scalar(parameter)), from: \(from) } }",
          evidence: "\(field.path) has a token; sent back as “\(parameter)” it gave \(other)",
          parameters: [parameter])
      }
    }
    return nil
  }

  /// What a token may be called in a request, the likeliest first.
  private static func parameters(_ field: String) -> [String] {
    let known = [
      "nextcursor": "cursor", "endcursor": "after", "nextpagetoken": "pageToken", "next": "after",
      "nexttoken": "next_token", "nextmarker": "marker", "nextmaxid": "max_id",
    ]
    let squeezed = FieldName.words(field).joined()
    var result: [String] = []
    if squeezed == "nextpagetoken", field.contains("_") { result.append("page_token") }
    if let name = known[squeezed] { result.append(name) }
    for name in [squeezed.hasPrefix("next") ? "cursor" : field, field, "cursor"]
    where !result.contains(name) {
      result.append(name)
    }
    return Array(result.prefix(2))
  }

  private mutating func offset(_ fields: [Field]) async throws -> InferredPaging? {
    let query = url.queryItems
    let asked = query.first {
      ["offset", "skip", "start", "startindex"].contains($0.name.lowercased())
    }
    let shown = fields.first { ["offset", "skip"].contains($0.name) && $0.value.int64 != nil }
    guard !records.isEmpty, asked != nil || shown != nil else { return nil }
    let parameter = asked?.name ?? shown?.keys.last ?? "offset"
    let size = query.first { ["limit", "count", "size", "top"].contains($0.name.lowercased()) }
    let first = asked.flatMap { Int($0.value) } ?? shown?.value.int64.map(Int.init) ?? 0
    let limit = size.flatMap { Int($0.value) } ?? records.count
    guard let other = try await second([(parameter, String(first + records.count))]) else {
      return nil
    }
    var parts = ["param: \(YAMLText.scalar(parameter))"]
    if first != 0 { parts.append("first: \(first)") }
    if let size { parts.append("limit_param: \(YAMLText.scalar(size.name)), limit: \(limit)") }
    if let total = total(fields) {
      parts.append("total: \(YAMLText.path(total.path, inBraces: true))")
    }
    return InferredPaging(
      yaml: "{ offset: { \(parts.joined(separator: ", ")) } }",
      evidence: "“\(parameter)” \(first + records.count) gave \(other)",
      parameters: Set([parameter] + (size.map { [$0.name] } ?? [])))
  }

  private mutating func page(_ fields: [Field]) async throws -> InferredPaging? {
    guard !records.isEmpty else { return nil }
    let names = ["page", "pagenumber", "pageno", "pageindex", "currentpage", "p"]
    let asked = url.queryItems.first { names.contains(FieldName.words($0.name).joined()) }
    let shown = fields.first { names.dropLast().contains($0.name) && $0.value.int64 != nil }
    let pages = fields.first {
      ["totalpages", "pages", "pagecount", "lastpage", "numpages", "nbpages", "pagestotal"]
        .contains($0.name) && $0.value.int64 != nil
    }
    // One page that holds all that there is needs no second one.
    if asked == nil, let all = total(fields)?.value.int64, all <= records.count { return nil }
    let first = asked.flatMap { Int($0.value) } ?? shown?.value.int64.map(Int.init) ?? 1
    var candidates = [asked?.name ?? "page"]
    if asked == nil, let key = shown?.keys.last, FieldName.words(key).first != "current" {
      candidates = [key] + (key == "page" ? [] : ["page"])
    }
    for parameter in candidates {
      guard let other = try await second([(parameter, String(first + 1))]) else { continue }
      var parts = ["param: \(YAMLText.scalar(parameter))"]
      if first != 1 { parts.append("first: \(first)") }
      if let pages { parts.append("total_pages: \(YAMLText.path(pages.path, inBraces: true))") }
      return InferredPaging(
        yaml: "{ page: { \(parts.joined(separator: ", ")) } }",
        evidence: "“\(parameter)” \(first + 1) gave \(other)", parameters: [parameter])
    }
    return nil
  }

  private func total(_ fields: [Field]) -> Field? {
    fields.first {
      [
        "total", "totalcount", "totalresults", "totalitems", "count", "totalhits", "recordcount",
        "totalrecords", "found",
      ].contains($0.name) && ($0.value.int64 ?? -1) >= Int64(records.count)
    }
  }

  /// What a second page gave, in words; nil when it is the first one again, or no data.
  private mutating func second(_ parameters: [(name: String, value: String)]) async throws
    -> String?
  {
    guard budget > 0 else { return nil }
    budget -= 1
    var next = url
    for (name, value) in parameters { next.set(query: name, value) }
    guard let answer = try await ask(next) else { return nil }
    let known = Set(records.map(\.rawText))
    let fresh = answer.records.filter { !known.contains($0.rawText) }.count
    // A page beyond the end is a page, too, where the number of all was said to be larger.
    guard fresh > 0, fresh * 2 > answer.records.count else { return nil }
    return fresh == 1 ? "another record" : "\(fresh) other records"
  }

  /// The fields beside the records, the outer ones first.
  private func fields() -> [Field] {
    var result: [Field] = []
    var level: [(keys: [String], node: JSONNode)] = [([], root)]
    for _ in 0..<4 {
      var next: [(keys: [String], node: JSONNode)] = []
      for (keys, node) in level where node.kind == .object && node.count <= 100 {
        for (key, value) in node.members {
          let path = keys + [key.string ?? ""]
          if value.kind == .object { next.append((path, value)) }
          if !value.kind.isNested { result.append(Field(keys: path, value: value)) }
        }
      }
      level = next
    }
    return result
  }
}
