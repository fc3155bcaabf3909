internal import AggregateCore

extension JSONPaging {
  /// What a plan says of it.
  var plan: ProviderPlan.Paging {
    typealias Parameter = ProviderPlan.Paging.Parameter
    switch self {
    case .single: return ProviderPlan.Paging(kind: "none", parameters: [], ends: [])
    case .offset(let parameter, let first, let size, let count):
      return ProviderPlan.Paging(
        kind: "offset",
        parameters: [
          Parameter("param", parameter), Parameter("first", String(first)),
          Parameter("limit_param", size), Parameter("limit", String(count)),
        ], ends: ["a page of fewer than \(count)"])
    case .number(let parameter, let first, let size, let count):
      return ProviderPlan.Paging(
        kind: "page",
        parameters: [Parameter("param", parameter), Parameter("first", String(first))]
          + (size.map { [Parameter("size_param", $0)] } ?? [])
          + [Parameter("size", String(count))], ends: ["a page of fewer than \(count)"])
    case .next(let path):
      return ProviderPlan.Paging(
        kind: "next_url", parameters: [Parameter("from", path)],
        ends: ["an empty page", "a page without an address"])
    case .cursor(let path, let parameter):
      return ProviderPlan.Paging(
        kind: "cursor", parameters: [Parameter("from", path), Parameter("param", parameter)],
        ends: ["an empty page", "a page without a token"])
    }
  }
}
