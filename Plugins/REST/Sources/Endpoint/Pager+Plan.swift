internal import AggregateCore
internal import AggregateJSON

extension Pager {
  /// What a plan says of it.
  var plan: ProviderPlan.Paging {
    var ends: [String] = []
    if let stopWhen { ends.append("a page where \(stopWhen.text)") }
    let (name, parameters, own) = details
    ends += own
    if case .none = kind { ends = [] }
    return ProviderPlan.Paging(kind: name, parameters: parameters, ends: ends, maxPages: maxPages)
  }

  private typealias Parameter = ProviderPlan.Paging.Parameter

  private var details: (kind: String, parameters: [Parameter], ends: [String]) {
    let atEmpty = stopOn == .empty ? ["an empty page"] : []
    switch kind {
    case .none: return ("none", [], [])
    case .page(let numbered):
      return (
        "page", Self.parameters(numbered, "size_param", "size", "total_pages"),
        ends(numbered, "the number of pages at")
      )
    case .offset(let numbered):
      return (
        "offset", Self.parameters(numbered, "limit_param", "limit", "total"),
        ends(numbered, "the number of records at")
      )
    case .cursor(let cursor):
      var parameters = [
        Parameter("from", cursor.from?.description ?? "header:\(cursor.header ?? "")"),
        Parameter("in", cursor.place.rawValue),
      ]
      if let path = cursor.path {
        parameters.append(Parameter("path", path.joined(separator: ".")))
      } else if let param = cursor.param {
        parameters.append(Parameter("param", param))
      }
      let short = stopOn == .short ? ["a page shorter than the first"] : []
      return ("cursor", parameters, atEmpty + short + ["a page without a token"])
    case .nextURL(let path):
      return (
        "next_url", [Parameter("from", path.description)], atEmpty + ["a page without an address"]
      )
    case .linkHeader(let rel):
      return ("link_header", [Parameter("rel", rel)], atEmpty + ["a page without such a link"])
    }
  }

  private static func parameters(
    _ numbered: Numbered, _ sizeParam: String, _ size: String, _ total: String
  ) -> [Parameter] {
    var parameters = [
      Parameter("param", numbered.param), Parameter("first", String(numbered.first)),
      Parameter("in", numbered.place.rawValue),
    ]
    if let name = numbered.sizeParam { parameters.append(Parameter(sizeParam, name)) }
    if let count = numbered.size { parameters.append(Parameter(size, String(count))) }
    if let path = numbered.total { parameters.append(Parameter(total, path.description)) }
    return parameters
  }

  private func ends(_ numbered: Numbered, _ counts: String) -> [String] {
    let total = numbered.total.map { ["\(counts) \($0) is reached"] } ?? []
    switch stopOn {
    case .never: return total
    case .empty: return total + ["an empty page"]
    case .short:
      return total + [
        numbered.size.map { "a page of fewer than \($0)" } ?? "a page shorter than the first"
      ]
    case nil:
      return total + [total.isEmpty ? "an empty page" : "without that number, an empty page"]
    }
  }
}
