internal import AggregateCore

extension JSONPaging {
  private typealias Parameter = ProviderPlan.Paging.Parameter

  /// What a plan says of it.
  var plan: ProviderPlan.Paging {
    switch self {
    case .single: return ProviderPlan.Paging(kind: "none", parameters: [], ends: [])
    case .offset(let parameter, let first, let size, let count, let total, let granted):
      return ProviderPlan.Paging(
        kind: "offset",
        parameters: [
          Parameter("param", parameter), Parameter("first", String(first)),
          Parameter("limit_param", size), Parameter("limit", String(count)),
        ], ends: Self.ends(total, granted))
    case .number(let parameter, let first, let size, let count, let total):
      return ProviderPlan.Paging(
        kind: "page",
        parameters: [Parameter("param", parameter), Parameter("first", String(first))]
          + (size.map { [Parameter("size_param", $0), Parameter("size", String(count))] } ?? []),
        ends: Self.ends(total, nil))
    case .next(let path):
      return ProviderPlan.Paging(
        kind: "next_url", parameters: [Parameter("from", path)],
        ends: ["a page without an address"])
    case .cursor(let path, let parameter):
      return ProviderPlan.Paging(
        kind: "cursor", parameters: [Parameter("from", path), Parameter("param", parameter)],
        ends: ["a page without a token"])
    }
  }

  private static func ends(_ total: String?, _ granted: String?) -> [String] {
    (total.map { ["the number of records at \($0) is reached"] } ?? [])
      + (granted.map { ["a page of fewer than the answer says at \($0)"] } ?? [])
      + ["an empty page"]
  }
}
