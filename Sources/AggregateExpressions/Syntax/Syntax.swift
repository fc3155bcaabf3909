/// An expression as it was written, with the place of each part.
struct Syntax: Sendable {
  indirect enum Kind: Sendable {
    case constant(Scalar)
    /// A name, or several joined by points; `isQuoted` when a single one was in double quotes.
    case name([String], isQuoted: Bool)
    case unary(String, Syntax)
    case binary(String, Syntax, Syntax)
    case not(Syntax)
    case all([Syntax])
    case any([Syntax])
    case isValue(Syntax, Truth, negated: Bool)
    case isDistinct(Syntax, Syntax, negated: Bool)
    case between(Syntax, Syntax, Syntax, negated: Bool)
    case contained(Syntax, [Syntax], negated: Bool)
    case like(Syntax, Syntax, escape: Syntax?, ignoresCase: Bool, negated: Bool)
    case choice(operand: Syntax?, [Branch], otherwise: Syntax?)
    case cast(Syntax, CastTarget, isTry: Bool)
    case call(String, [Syntax], isDistinct: Bool, isStar: Bool)
    case element(Syntax, Syntax)
    case member(Syntax, String)
    case interval(Syntax, unit: String)
  }

  enum Truth: Sendable {
    case null
    case known(Bool)
  }

  struct Branch: Sendable {
    let condition: Syntax
    let value: Syntax
  }

  let kind: Kind
  /// Where it is, in scalars from the beginning of the expression.
  let offset: Int
  /// How deeply its parts are nested.
  let depth: Int

  init(_ kind: Kind, at offset: Int, parts: [Syntax] = []) {
    self.kind = kind
    self.offset = offset
    depth = (parts.map(\.depth).max() ?? 0) + 1
  }
}

/// The type that a cast names.
enum CastTarget: Sendable, Equatable {
  case int
  case double
  case decimal(scale: Int)
  case bool
  case text
  case date
  case instant
  case json

  /// The type of this SQL name; nil when there is none.
  static func named(_ name: String) -> CastTarget? {
    switch name.lowercased() {
    case "int", "integer", "bigint", "smallint", "tinyint", "int8", "int4", "int2", "int64",
      "int32", "long", "hugeint", "ubigint", "uinteger":
      .int
    case "double", "real", "float", "float8", "float4", "number": .double
    case "decimal", "numeric": .decimal(scale: 3)
    case "bool", "boolean", "logical": .bool
    case "text", "varchar", "string", "char", "bpchar": .text
    case "date": .date
    case "timestamp", "timestamptz", "datetime", "instant": .instant
    case "json": .json
    default: nil
    }
  }

  static let names = [
    "bigint", "integer", "double", "decimal", "boolean", "varchar", "date", "timestamp",
    "timestamptz", "json",
  ]
}
