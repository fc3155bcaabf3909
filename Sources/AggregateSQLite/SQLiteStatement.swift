internal import AggregateCore
internal import CSQLite

/// A prepared statement: bind its parameters, step through its rows, reset it for the next use.
public final class SQLiteStatement {
  private let handle: OpaquePointer
  // Statements that the connection keeps must not keep the connection.
  private unowned let connection: SQLiteConnection
  private var owner: SQLiteConnection?
  var isKept = false { didSet { owner = isKept ? nil : connection } }
  /// How many columns a row has.
  public let columnCount: Int

  init(_ handle: OpaquePointer, of connection: SQLiteConnection) {
    self.handle = handle
    self.connection = connection
    owner = connection
    columnCount = Int(sqlite3_column_count(handle))
  }

  deinit { sqlite3_finalize(handle) }

  /// The names of the columns.
  public var columnNames: [String] {
    (0..<columnCount).map {
      sqlite3_column_name(handle, Int32($0)).map { String(cString: $0) } ?? ""
    }
  }

  /// The declared type of the table's column that each column is; nil for what is computed.
  public var declaredTypes: [String?] {
    (0..<columnCount).map {
      sqlite3_column_decltype(handle, Int32($0)).map { String(cString: $0) }
    }
  }

  /// Binds all parameters, in order.
  public func bind(_ values: [SQLiteConnection.Value]) throws {
    for (index, value) in values.enumerated() { try bind(value, at: index) }
  }

  /// Binds one parameter, counted from 0.
  public func bind(_ value: SQLiteConnection.Value, at index: Int) throws {
    let position = Int32(index + 1)
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(handle, position)
    case .integer(let number): code = sqlite3_bind_int64(handle, position, number)
    case .real(let number): code = sqlite3_bind_double(handle, position, number)
    case .text(let text):
      var text = text
      code = text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text64(
            handle, position, $0.baseAddress, UInt64($0.count), Self.copied, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      code =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, position, 0)
        : bytes.withUnsafeBytes {
          sqlite3_bind_blob64(handle, position, $0.baseAddress, UInt64($0.count), Self.copied)
        }
    }
    if code != SQLITE_OK { throw connection.failure() }
  }

  /// Calls `body` while a parameter, counted from 0, is the content of `buffer`, without a copy.
  func withBound<R>(_ buffer: ByteBuffer, at index: Int, _ body: () throws -> R) throws -> R {
    let position = Int32(index + 1)
    return try buffer.withUnsafeBytes { bytes in
      let code =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, position, 0)
        : sqlite3_bind_blob64(handle, position, bytes.baseAddress, UInt64(bytes.count), nil)
      if code != SQLITE_OK { throw connection.failure() }
      defer {
        // The bytes are not the statement's after this.
        sqlite3_reset(handle)
        sqlite3_bind_null(handle, position)
      }
      return try body()
    }
  }

  /// Goes to the next row; false after the last.
  public func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    default: throw connection.failure()
    }
  }

  /// Makes the statement ready to run again; parameters stay bound.
  public func reset() { sqlite3_reset(handle) }

  /// The value of a column of the present row, counted from 0.
  public func value(_ column: Int) -> SQLiteConnection.Value {
    let column = Int32(column)
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: return .text(String(decoding: bytes(of: column, isText: true), as: UTF8.self))
    case SQLITE_BLOB: return .blob(Array(bytes(of: column, isText: false)))
    default: return .null
    }
  }

  /// Calls `body` with the bytes of a column of the present row, without a copy; nil for NULL.
  public func withBytes<R>(_ column: Int, _ body: (UnsafeRawBufferPointer?) throws -> R) rethrows
    -> R
  {
    let column = Int32(column)
    let type = sqlite3_column_type(handle, column)
    if type == SQLITE_NULL { return try body(nil) }
    return try body(bytes(of: column, isText: type != SQLITE_BLOB))
  }

  /// Valid until the next step.
  private func bytes(of column: Int32, isText: Bool) -> UnsafeRawBufferPointer {
    // The pointer before the length: asking for text may convert, which changes the length.
    let start =
      isText
      ? UnsafeRawPointer(sqlite3_column_text(handle, column)) : sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }

  /// Tells SQLite to copy what is bound.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

extension SQLiteConnection.Value {
  /// The whole number, if it is one.
  public var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The text, if it is one.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The bytes, if it is a blob.
  public var blob: [UInt8]? {
    if case .blob(let bytes) = self { bytes } else { nil }
  }
}
