internal import AggregateRegex

/// A query: from the root or from the current node, segment by segment.
struct PathQuery: Sendable {
  var isAbsolute: Bool
  var segments: [PathSegment]

  /// Whether it gives at most one node, by its form.
  var isSingular: Bool {
    segments.allSatisfy { segment in
      guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
      return switch segment.selectors[0] {
      case .name, .index: true
      case .wildcard, .slice, .filter: false
      }
    }
  }
}

/// One step: to children, or to children of all descendants.
struct PathSegment: Sendable {
  var isDescendant: Bool
  var selectors: [PathSelector]
}

/// Which children.
enum PathSelector: Sendable {
  case name(String)
  case index(Int)
  case wildcard
  case slice(start: Int?, end: Int?, step: Int)
  case filter(PathFilter)
}

/// A logical expression.
indirect enum PathFilter: Sendable {
  case or([PathFilter])
  case and([PathFilter])
  case not(PathFilter)
  case exists(PathQuery)
  case test(PathCall)
  case compare(PathOperand, PathComparison, PathOperand)
}

/// A comparison operator.
enum PathComparison: String, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
}

/// One side of a comparison, or an argument.
indirect enum PathOperand: Sendable {
  case literal(PathValue)
  case query(PathQuery)
  case call(PathCall)
}

/// A call of a function, well-typed.
struct PathCall: Sendable {
  var function: PathFunction
  var arguments: [PathOperand]
  /// The pattern of `match` and `search` when it is a literal, compiled once.
  var pattern: Pattern?

  /// A compiled pattern, or the fact that the literal is no I-Regexp and matches nothing.
  enum Pattern: Sendable {
    case compiled(RegularExpression)
    case invalid
  }
}

/// The functions of RFC 9535.
enum PathFunction: String, Sendable, CaseIterable {
  case length, count, match, search, value

  enum Kind { case value, logical, nodes }

  var parameters: [Kind] {
    switch self {
    case .length: [.value]
    case .count, .value: [.nodes]
    case .match, .search: [.value, .value]
    }
  }

  var result: Kind { self == .match || self == .search ? .logical : .value }
}

/// What a literal, a singular query or a function gives.
enum PathValue: Sendable {
  /// No value: the query gave no node.
  case nothing
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case text(String)
  case node(JSONNode)
}
