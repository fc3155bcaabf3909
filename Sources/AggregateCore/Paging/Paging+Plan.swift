extension Paging {
  private typealias Parameter = ProviderPlan.Paging.Parameter

  /// What a plan says of it.
  public var plan: ProviderPlan.Paging {
    let (name, parameters, own) = details
    let condition = stopWhen.map { ["a page where \($0.text)"] } ?? []
    return ProviderPlan.Paging(
      kind: name, parameters: parameters, ends: isPaging ? condition + own : [], maxPages: maxPages)
  }

  private var details: (kind: String, parameters: [Parameter], ends: [String]) {
    let byRule: [String] =
      switch stopOn {
      case .empty: ["an empty page"]
      case .short: ["a page shorter than the first"]
      case .never, nil: []
      }
    switch kind {
    case .single, .rule: return ("none", [], [])
    case .page(let numbered):
      return ("page", parameters(numbered, "size_param", "size"), ends(numbered))
    case .offset(let numbered):
      return ("offset", parameters(numbered, "limit_param", "limit"), ends(numbered))
    case .cursor(let cursor):
      var parameters = [
        Parameter("from", cursor.from?.name ?? "header:\(cursor.header ?? "")"),
        Parameter("in", cursor.place.rawValue),
      ]
      if let path = cursor.path {
        parameters.append(Parameter("path", path.joined(separator: ".")))
      } else if let param = cursor.param {
        parameters.append(Parameter("param", param))
      }
      return ("cursor", parameters, byRule + ["a page without a token"])
    case .nextURL(let field):
      return ("next_url", [Parameter("from", field.name)], byRule + ["a page without an address"])
    case .linkHeader(let rel):
      return ("link_header", [Parameter("rel", rel)], byRule + ["a page without such a link"])
    }
  }

  private func parameters(
    _ numbered: Numbered, _ sizeParam: String, _ size: String
  ) -> [Parameter] {
    var parameters = [
      Parameter("param", numbered.param), Parameter("first", String(numbered.first)),
      Parameter("in", numbered.place.rawValue),
    ]
    if let name = numbered.sizeParam { parameters.append(Parameter(sizeParam, name)) }
    if let count = numbered.size { parameters.append(Parameter(size, String(count))) }
    if numbered.hasFixedSteps { parameters.append(Parameter("step", "limit")) }
    if let pages = numbered.totalPages { parameters.append(Parameter("total_pages", pages.name)) }
    if let total = numbered.total { parameters.append(Parameter("total", total.name)) }
    return parameters
  }

  private func ends(_ numbered: Numbered) -> [String] {
    var ends: [String] = []
    if let pages = numbered.totalPages {
      ends.append("the number of pages at \(pages.name) is reached")
    }
    if let total = numbered.total {
      ends.append("the number of records at \(total.name) is reached")
    }
    if let more = numbered.more {
      ends.append("a page that says at \(more.name) that it is the last")
    }
    if let granted = numbered.granted {
      ends.append("a page of fewer than the answer says at \(granted.name)")
    }
    switch stopOn {
    case .never: break
    case .empty: ends.append("an empty page")
    case .short:
      ends.append(
        numbered.size.map { "a page of fewer than \($0)" } ?? "a page shorter than the first")
    case nil:
      let isTold = numbered.totalPages != nil || numbered.total != nil
      ends.append(isTold ? "without that number, an empty page" : "an empty page")
    }
    return ends
  }
}
