public import AggregateCore

/// From the records of a ``JSONSource`` to rows.
public struct JSONRecordMapper: PageMapper {
  private let schema: Schema
  private let fields: [JSONField]
  private let records: JSONField
  private let text: String

  init(_ source: JSONSource) {
    fields = source.fields
    schema = Schema(source.fields.map(\.column))
    text = source.records
    records = JSONField("records", .list, at: source.records, "The records.")
  }

  /// The schema of the rows.
  public var knownSchema: Schema? { schema }

  /// A row per record.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when there is no list, or a record lacks what
  ///   is required.
  public func rows(
    of page: Page<JSONPart, JSONDocument>, found: Schema?, log: RunLog
  ) throws -> [Batch] {
    let root = page.payload.root
    guard let list = records.node(in: root), list.kind == .array else {
      throw noList(root, page.part.url?.description ?? "")
    }
    var rows = BatchBuilder(schema: schema)
    for record in list.elements {
      for field in fields {
        if field.isPartName {
          rows.append(page.part.name)
          continue
        }
        guard let node = field.node(in: record) else {
          if field.isRequired { throw lacks(field, record) }
          rows.appendNull()
          continue
        }
        guard !field.append(node, to: &rows) else { continue }
        if field.isRequired { throw lacks(field, record) }
        try log.lost(
          column: field.column.name, kind: "is not \(Self.article(field.column.type))", count: 1,
          example: String(node.rawText.prefix(80)))
      }
      rows.endRow()
    }
    return [rows.finish()]
  }

  private func noList(_ root: JSONNode, _ address: String) -> AggregateError {
    let wanted = text.isEmpty ? "is no list" : "has no list “\(text)”"
    // Services say what is wrong in different members, some of them in good answers.
    let said = ["error", "message", "detail", "reason", "errors"].lazy.compactMap { key in
      root[key].flatMap { $0.string ?? $0["message"]?.string }
    }.first
    return AggregateError(
      .badData, "\(address): the answer \(wanted)" + (said.map { ": it says “\($0)”" } ?? ""),
      hint: "it is \(root.shown)"
        + (root.kind == .object && root.count > 0
          ? ": " + root.members.prefix(6).compactMap(\.key.string).joined(separator: ", ") : "")
        + "; is the base address the right one?")
  }

  private func lacks(_ field: JSONField, _ record: JSONNode) -> AggregateError {
    let path = field.path.joined(separator: ".")
    let found = field.node(in: record).map { " but \($0.shown)" } ?? ""
    return AggregateError(
      .badData, "a record has no “\(path)”\(found): \(record.rawText.prefix(80))")
  }

  private static func article(_ type: ValueType) -> String {
    switch type {
    case .int: "a whole number"
    case .number: "a number"
    case .bool: "true or false"
    case .text: "a text"
    case .instant: "a point in time"
    case .date: "a date"
    case .list: "a list"
    case .any, .json: "a value"
    }
  }
}
