/// What is known of one column.
public struct ColumnSpec: Sendable, Hashable {
  /// The name, as it stands in a header.
  public var name: String
  /// The type of its values.
  public var type: ValueType
  /// The unit of its values (`°C`, `m/s`), when it has one.
  public var unit: String?
  /// One sentence that says what it means.
  public var description: String?
  /// The path it was read or flattened from, when its name is the text form of one.
  public var path: ColumnPath?

  /// Creates a column description.
  public init(
    _ name: String, _ type: ValueType = .any, unit: String? = nil, description: String? = nil,
    path: ColumnPath? = nil
  ) {
    self.name = name
    self.type = type
    self.unit = unit
    self.description = description
    self.path = path
  }
}

/// The ordered columns of a stream. Names are unique.
///
/// A reference type, so that stages can tell by identity that nothing changed between two batches.
public final class Schema: Sendable, Equatable, CustomStringConvertible {
  /// The name of the column that holds, as a JSON object, the fields that the schema does not name.
  public static let overflowName = "_extra"

  /// The columns, in order.
  public let columns: [ColumnSpec]
  /// Whether rows may have further fields; they are kept in a last column ``overflowName``.
  public let isOpen: Bool
  private let indexes: [String: Int]

  /// Creates a schema; `columns` must have unique names.
  ///
  /// When `isOpen`, the last column must be the overflow column.
  public init(_ columns: [ColumnSpec], isOpen: Bool = false) {
    precondition(!isOpen || columns.last?.name == Self.overflowName)
    self.columns = columns
    self.isOpen = isOpen
    var indexes: [String: Int] = [:]
    for (index, column) in columns.enumerated() {
      precondition(indexes.updateValue(index, forKey: column.name) == nil, "\(column.name) twice")
    }
    self.indexes = indexes
  }

  /// The names, in order.
  public var names: [String] { columns.map(\.name) }

  /// The index of the column with exactly this name.
  public func index(of name: String) -> Int? { indexes[name] }

  /// Two schemas are equal when their columns are.
  public static func == (lhs: Schema, rhs: Schema) -> Bool {
    lhs === rhs || (lhs.columns == rhs.columns && lhs.isOpen == rhs.isOpen)
  }

  /// `name type` of each column.
  public var description: String {
    columns.map { "\($0.name) \($0.type.rawValue)" }.joined(separator: ", ")
  }

  /// The same columns with `_source` before them.
  public func withSourceColumn() -> Schema {
    if columns.first?.name == "_source" { return self }
    let rest = columns.filter { $0.name != "_source" }
    return Schema(
      [ColumnSpec("_source", .text, description: "The source that the row came from.")] + rest,
      isOpen: isOpen)
  }
}

/// Where a name leads in a schema: a column, and what is left of the path inside it.
public struct ColumnReference: Sendable, Hashable {
  /// The index of the column.
  public let index: Int
  /// The path inside the column's values; empty for the column itself.
  public let subpath: [String]

  /// Creates a reference.
  public init(index: Int, subpath: [String] = []) {
    self.index = index
    self.subpath = subpath
  }
}

/// Why a name leads nowhere.
public enum ColumnLookupError: Error, Hashable {
  /// No column has this name; the nearest names come first.
  case unknown(name: String, suggestions: [String], available: [String])
  /// No column has exactly this name and several differ from it only by case.
  case ambiguous(name: String, matches: [String])

  /// The message for a user.
  public var message: String {
    switch self {
    case .unknown(let name, _, _): "there is no column “\(name)”"
    case .ambiguous(let name, let matches):
      "“\(name)” matches several columns: \(matches.joined(separator: ", "))"
    }
  }

  /// What would be valid.
  public var hint: String? {
    switch self {
    case .unknown(_, let suggestions, let available):
      if let nearest = suggestions.first {
        "did you mean “\(nearest)”?"
      } else if available.isEmpty {
        "the input has no columns"
      } else {
        "the columns are \(available.prefix(12).joined(separator: ", "))"
          + (available.count > 12 ? ", …" : "")
      }
    case .ambiguous: "write the name exactly as it stands in the header"
    }
  }
}

extension Schema {
  /// Where a written name leads: first a column of exactly this name, then one that differs by case,
  /// then a path (`city.name`) into a column that may hold nested values.
  public func resolve(_ name: String) throws(ColumnLookupError) -> ColumnReference {
    try resolve(path: ColumnPath(text: name).elements, written: name)
  }

  /// Where a path leads. The longest run of leading elements that names a column wins.
  ///
  /// - Parameter written: How the user wrote it, for the message.
  public func resolve(
    path: [String], written: String? = nil
  ) throws(ColumnLookupError) -> ColumnReference {
    let written = written ?? path.joined(separator: ".")
    if let index = try match(written) { return ColumnReference(index: index) }
    for length in stride(from: path.count, through: 1, by: -1) {
      let head = Array(path[..<length])
      let rest = Array(path[length...])
      let plain = head.joined(separator: ".")
      var found = try match(plain)
      if found == nil { found = try match(ColumnPath(head).description) }
      guard let index = found, rest.isEmpty || mayNest(columns[index].type) else { continue }
      return ColumnReference(index: index, subpath: rest)
    }
    let available = isOpen ? names.filter { $0 != Self.overflowName } : names
    throw .unknown(
      name: written, suggestions: Suggestions.nearest(to: written, in: available),
      available: available)
  }

  private func match(_ name: String) throws(ColumnLookupError) -> Int? {
    if let index = indexes[name] { return index }
    let lowered = name.lowercased()
    let matches = columns.indices.filter { columns[$0].name.lowercased() == lowered }
    if matches.count > 1 {
      throw .ambiguous(name: name, matches: matches.map { columns[$0].name })
    }
    return matches.first
  }

  private func mayNest(_ type: ValueType) -> Bool {
    type == .any || type == .json || type == .list
  }
}
