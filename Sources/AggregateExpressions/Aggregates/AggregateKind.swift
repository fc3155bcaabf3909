/// An aggregate function.
enum AggregateKind: String, Sendable, CaseIterable {
  case count
  case sum
  case mean
  case min
  case max
  case first
  case last
  case anyValue = "any_value"
  case median
  case quantile
  case quantileDiscrete = "quantile_disc"
  case list
  case stringAgg = "string_agg"
  case deviation = "stddev"
  case deviationOfAll = "stddev_pop"
  case variance
  case varianceOfAll = "var_pop"
  case boolAnd = "bool_and"
  case boolOr = "bool_or"
  case mode
  case product
  case countIf = "count_if"

  private static let aliases: [String: AggregateKind] = [
    "avg": .mean, "quantile_cont": .quantile, "percentile_cont": .quantile,
    "array_agg": .list, "listagg": .stringAgg, "group_concat": .stringAgg,
    "stddev_samp": .deviation, "var_samp": .variance, "var": .variance, "every": .boolAnd,
    "arbitrary": .anyValue, "countif": .countIf,
  ]

  static func named(_ name: String) -> AggregateKind? {
    AggregateKind(rawValue: name) ?? aliases[name]
  }

  static let names = (allCases.map(\.rawValue) + aliases.keys).sorted()
}
