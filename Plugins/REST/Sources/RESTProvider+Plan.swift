public import AggregateCore

extension RESTProvider {
  /// Its paging, the values of `for_each` and the kinds of `auth`.
  public var plan: ProviderPlan {
    var plan = ProviderPlan()
    plan.paging = endpoint.paging.plan
    plan.keys = endpoint.forEach.keys.map(\.plan)
    plan.knowsPartitions = true
    plan.authentication = authentication.names
    return plan
  }
}
