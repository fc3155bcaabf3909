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
  case quantileContinuous = "quantile_cont"
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

  static let aliases: [String: AggregateKind] = [
    "avg": .mean, "quantile_disc": .quantile, "array_agg": .list, "listagg": .stringAgg,
    "group_concat": .stringAgg, "stddev_samp": .deviation, "var_samp": .variance,
    "var": .variance, "every": .boolAnd, "arbitrary": .anyValue, "countif": .countIf,
  ]

  static func named(_ name: String) -> AggregateKind? {
    AggregateKind(rawValue: name) ?? aliases[name]
  }

  static let names = (allCases.map(\.rawValue) + aliases.keys).sorted()

  /// How many arguments it takes.
  var arity: ClosedRange<Int> {
    switch self {
    case .count: 0...1
    case .quantile, .quantileContinuous: 2...2
    case .stringAgg: 1...2
    default: 1...1
    }
  }

  var parameters: String {
    switch self {
    case .count: "[value]"
    case .quantile, .quantileContinuous: "x, fraction"
    case .stringAgg: "text, [separator]"
    case .boolAnd, .boolOr, .countIf: "condition"
    default: takesNumbers ? "x" : "value"
    }
  }

  var takesNumbers: Bool {
    switch self {
    case .sum, .mean, .median, .quantile, .quantileContinuous, .deviation, .deviationOfAll,
      .variance, .varianceOfAll, .product:
      true
    default: false
    }
  }

  var summary: String {
    switch self {
    case .count: "How many rows there are, or how many values that are not null."
    case .sum: "The sum, exact for integers of any size."
    case .mean: "The arithmetic mean."
    case .min: "The smallest value."
    case .max: "The largest value."
    case .first: "The value of the first row, null or not."
    case .last: "The value of the last row, null or not."
    case .anyValue: "The first value that is not null."
    case .median: "The middle value, or the mean of the middle two."
    case .quantile: "The value below which a fraction of the values lies, one of them."
    case .quantileContinuous: "The value below which a fraction lies, interpolated."
    case .list: "All values as a list, nulls included."
    case .stringAgg: "All texts that are not null, joined by a separator (a comma by default)."
    case .deviation: "The standard deviation of a sample; null for one row."
    case .deviationOfAll: "The standard deviation of a whole population."
    case .variance: "The variance of a sample; null for one row."
    case .varianceOfAll: "The variance of a whole population."
    case .boolAnd: "Whether a condition is true for all rows that are not null."
    case .boolOr: "Whether a condition is true for at least one row."
    case .mode: "The most frequent value; of several the first."
    case .product: "The product."
    case .countIf: "For how many rows a condition is true."
    }
  }

  /// An example over one row, and the text of its value.
  var example: (expression: String, result: String) {
    switch self {
    case .count: ("count()", "1")
    case .sum: ("sum(2)", "2")
    case .mean: ("mean(2)", "2.0")
    case .min: ("min(2)", "2")
    case .max: ("max('b')", "b")
    case .first: ("first('a')", "a")
    case .last: ("last('a')", "a")
    case .anyValue: ("any_value('a')", "a")
    case .median: ("median(2)", "2.0")
    case .quantile: ("quantile(2, 0.9)", "2.0")
    case .quantileContinuous: ("quantile_cont(2, 0.9)", "2.0")
    case .list: ("list('a')", "[\"a\"]")
    case .stringAgg: ("string_agg('a', '; ')", "a")
    case .deviation: ("stddev(2)", "")
    case .deviationOfAll: ("stddev_pop(2)", "0.0")
    case .variance: ("variance(2)", "")
    case .varianceOfAll: ("var_pop(2)", "0.0")
    case .boolAnd: ("bool_and(1 < 2)", "true")
    case .boolOr: ("bool_or(1 > 2)", "false")
    case .mode: ("mode('a')", "a")
    case .product: ("product(3)", "3.0")
    case .countIf: ("count_if(1 < 2)", "1")
    }
  }
}
