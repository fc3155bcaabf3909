internal import AggregateCore
internal import CDuckDB

/// The type of a column of a result.
struct DuckDBType: Sendable {
  /// What kind of type it is.
  let id: cduckdb_type
  /// How an enumeration or a decimal number is stored.
  private(set) var storage: cduckdb_type
  /// How many digits of a decimal number stand behind the point.
  private(set) var scale = 0
  /// Whether the text is JSON.
  private(set) var isJSON = false
  /// The words of an enumeration.
  private(set) var words: [String] = []
  /// The types inside: of elements, of fields, or of keys and values.
  private(set) var children: [DuckDBType] = []
  /// The names of fields.
  private(set) var names: [String] = []
  /// How many elements each value of a fixed length has.
  private(set) var length = 0

  /// Reads a type and frees it.
  init(_ handle: cduckdb_handle?, _ functions: cduckdb_functions) {
    var handle = handle
    defer { functions.destroy_logical_type(&handle) }
    id = functions.get_type_id(handle)
    storage = id
    switch id {
    case CDUCKDB_VARCHAR:
      let alias = functions.logical_type_get_alias(handle)
      isJSON = alias.map { String(cString: $0) } == "JSON"
      functions.free(alias)
    case CDUCKDB_DECIMAL:
      scale = Int(functions.decimal_scale(handle))
      storage = functions.decimal_internal_type(handle)
    case CDUCKDB_ENUM:
      storage = functions.enum_internal_type(handle)
      words = (0..<UInt64(functions.enum_dictionary_size(handle))).map { index in
        Self.text(functions.enum_dictionary_value(handle, index), functions)
      }
    case CDUCKDB_LIST:
      children = [DuckDBType(functions.list_type_child_type(handle), functions)]
    case CDUCKDB_ARRAY:
      children = [DuckDBType(functions.array_type_child_type(handle), functions)]
      length = Int(functions.array_type_array_size(handle))
    case CDUCKDB_MAP:
      children = [
        DuckDBType(functions.map_type_key_type(handle), functions),
        DuckDBType(functions.map_type_value_type(handle), functions),
      ]
    case CDUCKDB_STRUCT:
      for index in 0..<functions.struct_type_child_count(handle) {
        names.append(Self.text(functions.struct_type_child_name(handle, index), functions))
        children.append(DuckDBType(functions.struct_type_child_type(handle, index), functions))
      }
    default: break
    }
  }

  private static func text(
    _ pointer: UnsafeMutablePointer<CChar>?, _ functions: cduckdb_functions
  ) -> String {
    defer { functions.free(pointer) }
    return pointer.map { String(cString: $0) } ?? ""
  }

  /// Whether the values of the type, and of those inside, can be read; others have to be cast to text.
  var isReadable: Bool {
    switch id {
    case CDUCKDB_BOOLEAN, CDUCKDB_TINYINT, CDUCKDB_SMALLINT, CDUCKDB_INTEGER, CDUCKDB_BIGINT,
      CDUCKDB_UTINYINT, CDUCKDB_USMALLINT, CDUCKDB_UINTEGER, CDUCKDB_UBIGINT, CDUCKDB_FLOAT,
      CDUCKDB_DOUBLE, CDUCKDB_TIMESTAMP, CDUCKDB_DATE, CDUCKDB_TIME, CDUCKDB_HUGEINT,
      CDUCKDB_VARCHAR, CDUCKDB_BLOB, CDUCKDB_DECIMAL, CDUCKDB_TIMESTAMP_S, CDUCKDB_TIMESTAMP_MS,
      CDUCKDB_TIMESTAMP_NS, CDUCKDB_ENUM, CDUCKDB_UUID, CDUCKDB_TIMESTAMP_TZ, CDUCKDB_UHUGEINT,
      CDUCKDB_SQLNULL:
      true
    case CDUCKDB_LIST, CDUCKDB_ARRAY, CDUCKDB_MAP, CDUCKDB_STRUCT:
      children.allSatisfy(\.isReadable)
    default: false
    }
  }

  /// The type as this program knows it.
  var valueType: ValueType {
    switch id {
    case CDUCKDB_BOOLEAN: .bool
    case CDUCKDB_TINYINT, CDUCKDB_SMALLINT, CDUCKDB_INTEGER, CDUCKDB_BIGINT, CDUCKDB_UTINYINT,
      CDUCKDB_USMALLINT, CDUCKDB_UINTEGER:
      .int
    // Whole numbers beyond 64 bits too: they are numbers here.
    case CDUCKDB_UBIGINT, CDUCKDB_HUGEINT, CDUCKDB_UHUGEINT, CDUCKDB_FLOAT, CDUCKDB_DOUBLE,
      CDUCKDB_DECIMAL:
      .number
    case CDUCKDB_TIMESTAMP, CDUCKDB_TIMESTAMP_S, CDUCKDB_TIMESTAMP_MS, CDUCKDB_TIMESTAMP_NS,
      CDUCKDB_TIMESTAMP_TZ:
      .instant
    case CDUCKDB_DATE: .date
    case CDUCKDB_LIST, CDUCKDB_ARRAY: .list
    case CDUCKDB_STRUCT, CDUCKDB_MAP: .json
    case CDUCKDB_SQLNULL: .any
    default: isJSON ? .json : .text
    }
  }
}
