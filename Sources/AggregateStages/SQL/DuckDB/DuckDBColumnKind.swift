internal import AggregateCore
internal import CDuckDB

/// The type of a column of the table that the rows go to.
enum DuckDBColumnKind: Hashable, Sendable {
  /// There was no value yet.
  case unknown
  case boolean
  /// Whole numbers of up to 64 bits.
  case whole
  /// Whole numbers of up to 38 digits.
  case huge
  case double
  /// Numbers of up to 38 digits, with so many of them behind the point.
  case decimal(scale: Int)
  case text
  case date
  case instant
  /// Values of several kinds, objects or lists among them.
  case json

  /// The type's name in DuckDB.
  var sqlType: String {
    switch self {
    case .boolean: "BOOLEAN"
    case .whole: "BIGINT"
    case .huge: "HUGEINT"
    case .double: "DOUBLE"
    case .decimal(let scale): "DECIMAL(38,\(scale))"
    case .unknown, .text: "VARCHAR"
    case .date: "DATE"
    case .instant: "TIMESTAMP"
    case .json: "JSON"
    }
  }

  /// The expression that makes values of `other` from those of this type in `column`.
  func conversion(of column: String, to other: DuckDBColumnKind) -> String {
    let target = other.sqlType
    let text: String =
      switch self {
      // A whole number among others was written without a point.
      case .double: "regexp_replace(CAST(\(column) AS VARCHAR), '\\.0$', '')"
      case .instant:
        "strftime(\(column), '%Y-%m-%dT%H:%M:%S') || CASE WHEN epoch_us(\(column)) % 1000000 = 0"
          + " THEN 'Z' ELSE strftime(\(column), '.%fZ') END"
      default: "CAST(\(column) AS VARCHAR)"
      }
    switch (self, other) {
    case (_, .text): return text
    case (.text, .json), (.date, .json), (.instant, .json): return "to_json(\(text))"
    case (_, .json): return "CAST(\(text) AS JSON)"
    // Through text: a double has digits behind those that it was written with.
    case (.double, .decimal): return "CAST(CAST(\(column) AS VARCHAR) AS \(target))"
    default: return "CAST(\(column) AS \(target))"
    }
  }

  /// The type as the library takes it; the caller frees it.
  func logicalType(_ functions: cduckdb_functions) -> cduckdb_handle? {
    switch self {
    case .boolean: return functions.create_logical_type(CDUCKDB_BOOLEAN)
    case .whole: return functions.create_logical_type(CDUCKDB_BIGINT)
    case .huge: return functions.create_logical_type(CDUCKDB_HUGEINT)
    case .double: return functions.create_logical_type(CDUCKDB_DOUBLE)
    case .decimal(let scale): return functions.create_decimal_type(38, UInt8(clamping: scale))
    case .date: return functions.create_logical_type(CDUCKDB_DATE)
    case .instant: return functions.create_logical_type(CDUCKDB_TIMESTAMP)
    case .unknown, .text: return functions.create_logical_type(CDUCKDB_VARCHAR)
    case .json:
      let type = functions.create_logical_type(CDUCKDB_VARCHAR)
      functions.logical_type_set_alias(type, "JSON")
      return type
    }
  }

  /// The type of a column of a declared type that has no values.
  init(declared: ValueType) {
    self =
      switch declared {
      case .any: .unknown
      case .int: .whole
      case .number: .double
      case .bool: .boolean
      case .text: .text
      case .instant: .instant
      case .date: .date
      case .json, .list: .json
      }
  }
}
