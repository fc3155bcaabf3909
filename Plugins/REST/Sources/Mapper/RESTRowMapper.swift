public import AggregateCore
internal import AggregateJSON

/// From records to rows: declared columns, or every field.
public struct RESTRowMapper: PageMapper {
  /// The schema of the declared columns; nil for every field.
  public let knownSchema: Schema?
  /// The declared columns; nil for every field.
  let columns: [ColumnDeclaration]?
  /// The members of a record that the declared columns are read from.
  private let members: RepeatedKeys
  /// How many records are looked at to find the columns when none are declared, at most.
  private let mostSample: Int
  /// From how many records on the columns are known when none are declared; nil when it is not said.
  private let sample: Int?
  /// What happens to a field that the sample did not have: `error`, `drop` or `extra`.
  private let onNewColumn: String

  init(_ options: Options) {
    columns = options.entries("columns").map { $0.compactMap { ColumnDeclaration($0) } }
    knownSchema = columns.map { Schema($0.map(\.spec)) }
    var names: [String] = []
    for column in columns ?? [] {
      guard case .path(let path) = column.origin, let name = path.singularElements?.first,
        !names.contains(name)
      else { continue }
      names.append(name)
    }
    members = RepeatedKeys(of: names)
    let rules = options.given("schema")
    sample = rules?["sample"]?.string.flatMap { Int($0) }
    mostSample = sample ?? 1000
    onNewColumn = rules?["on_new_column"]?.string ?? "extra"
  }

  /// From how many records on the columns are known: a run that wants few rows asks for no more pages
  /// because of the columns.
  public func sampleSize(rowLimit: Int?) -> Int { sample ?? min(100, max(1, rowLimit ?? 100)) }

  /// Adds the fields of the records of a page to `columns`.
  public func find(in payload: RESTPayload, _ columns: inout FoundColumns) {
    defer { columns.count += payload.count }
    guard case .records(let nodes, _) = payload.rows else {
      if case .table(let schema, _) = payload.rows {
        columns.isTable = true
        for column in schema.columns { columns.add(column) }
      }
      return
    }
    for node in nodes.prefix(max(0, mostSample - columns.count)) {
      if node.kind != .object { columns.add(ColumnSpec("value", path: ColumnPath(["value"]))) }
      for member in node.members {
        guard let name = member.key.string else { continue }
        columns.add(ColumnSpec(name, path: ColumnPath([name])))
      }
    }
  }

  /// The schema of columns that were found, open for further ones.
  public func schema(of columns: FoundColumns) -> Schema {
    if columns.isTable { return Schema(columns.specs) }
    if onNewColumn == "drop" { return Schema(columns.specs) }
    let overflow = ColumnSpec(
      Schema.overflowName, .json,
      description: "The fields that the schema does not name, as a JSON object.")
    return Schema(columns.specs + [overflow], isOpen: true)
  }

  /// A hash of the records.
  public func recordHash(of page: Page<RESTPart, RESTPayload>) -> Int { page.payload.recordHash }

  /// The rows of a page, under the declared columns or under those that were found.
  ///
  /// - Throws: ``AggregateError`` when a required value is missing, or when the log is strict and a
  ///   value is not of its type.
  public func rows(
    of page: Page<RESTPart, RESTPayload>, found: Schema?, log: RunLog
  ) throws -> [Batch] {
    guard let columns, let schema = knownSchema else {
      return try open(page.payload, found ?? Schema([]), log)
    }
    let values = page.part.values(in: page.window)
    func batch(count: Int, _ cells: (JSONPath, ColumnDeclaration) -> SpanColumn) throws -> Batch {
      let built = try columns.map { declaration -> Column in
        switch declaration.origin {
        case .template(let template):
          return .constant(template.expanded(values), count: count)
        case .path(let path):
          return try finished(cells(path, declaration), declaration, log)
        }
      }
      return Batch(schema: schema, columns: built, rowCount: count)
    }
    switch page.payload.rows {
    case .records(let nodes, let buffer):
      if nodes.isEmpty { return [] }
      if let key = members.first(in: nodes) { Self.warn(ofDuplicate: key, log) }
      return [try batch(count: nodes.count) { Self.cells($0, $1, nodes, buffer) }]
    case .table(let own, let batches):
      return try batches.map { rows in
        try batch(count: rows.rowCount) { path, _ in Self.column(path, of: rows, own) }
      }
    }
  }

  private static func warn(ofDuplicate key: String, _ log: RunLog) {
    log.warn("duplicate key “\(key)”: the last of its values is kept")
  }

  private func open(
    _ payload: RESTPayload, _ schema: Schema, _ log: RunLog
  ) throws -> [Batch] {
    switch payload.rows {
    case .table(let own, let batches):
      if own == schema { return batches }
      if let name = own.names.first(where: { schema.index(of: $0) == nil }), onNewColumn != "drop" {
        throw AggregateError(
          .badData, "an answer has a column that the sample did not have: “\(name)”",
          hint: "declare columns, or schema: { on_new_column: drop }")
      }
      // A later page may have its columns in another order.
      return batches.map { batch in
        let columns = schema.columns.map { column in
          own.index(of: column.name).map { batch.columns[$0] } ?? .nulls(batch.rowCount)
        }
        return Batch(schema: schema, columns: columns, rowCount: batch.rowCount)
      }
    case .records(let nodes, let buffer):
      if nodes.isEmpty { return [] }
      let reader = JSONRecordReader(schema: schema)
      var duplicateKey: String?
      let batch = try reader.read(
        records: nodes.map(\.outerRange), of: buffer, duplicateKey: &duplicateKey)
      if let duplicateKey {
        Self.warn(ofDuplicate: duplicateKey, log)
      }
      if onNewColumn == "error", schema.isOpen, let last = batch.columns.last {
        for row in 0..<batch.rowCount {
          let value = last.value(at: row)
          guard !value.isNull, value.displayText != "{}" else { continue }
          throw AggregateError(
            .badData, "a record has fields that the sample did not have: \(value.displayText)",
            hint: "declare columns, or schema: { on_new_column: extra }")
        }
      }
      return [batch]
    }
  }

  /// The cells that a path leads to; several results become a list, or the first of them where a
  /// single value was declared.
  private static func cells(
    _ path: JSONPath, _ declaration: ColumnDeclaration, _ nodes: [JSONNode], _ buffer: ByteBuffer
  ) -> SpanColumn {
    let isList = !path.isSingular && [.any, .list, .json].contains(declaration.type)
    guard isList else {
      return SpanColumn(
        buffer: buffer, cells: nodes.map { path.firstNode(in: $0)?.cell ?? .absent })
    }
    var rewriter = CellRewriter(.empty, count: nodes.count)
    for node in nodes {
      let found = path.nodes(in: node).map(\.rawText)
      rewriter.write(.array, "[\(found.joined(separator: ","))]")
    }
    return rewriter.finish()
  }

  /// The column of a table that a path names.
  private static func column(_ path: JSONPath, of batch: Batch, _ schema: Schema) -> SpanColumn {
    let count = batch.rowCount
    guard let elements = path.singularElements, let name = elements.first,
      let index = schema.index(of: name)
    else {
      return SpanColumn(buffer: .empty, cells: Array(repeating: .absent, count: count))
    }
    let column = batch.columns[index]
    if case .spans(let spans) = column {
      return NestedValues.extract(spans, path: Array(elements.dropFirst()))
    }
    var rewriter = CellRewriter(.empty, count: count)
    for row in 0..<count {
      let value = column.value(at: row)
      if value.isNull {
        rewriter.keep(.null)
      } else {
        rewriter.write(column.kind(at: row), value.displayText)
      }
    }
    return rewriter.finish()
  }

  private func finished(
    _ column: SpanColumn, _ declaration: ColumnDeclaration, _ log: RunLog
  ) throws -> Column {
    var column = column
    if let fallback = declaration.fallback {
      var rewriter = CellRewriter(column.buffer, count: column.cells.count)
      for cell in column.cells {
        if cell.kind.isNull {
          rewriter.write(fallback.kind, fallback.text)
        } else {
          rewriter.keep(cell)
        }
      }
      column = rewriter.finish()
    }
    var conversion = CellConversion(declaration)
    let result = conversion.convert(column)
    if conversion.lost > 0 {
      try log.lost(
        column: declaration.spec.name, kind: conversion.kind, count: conversion.lost,
        example: conversion.example)
    }
    if declaration.isRequired {
      for row in 0..<result.count where result.kind(at: row).isNull {
        throw AggregateError(
          .badData, "record \(row + 1) of a page has no value for “\(declaration.spec.name)”",
          hint: "the column is declared with required: true", location: declaration.location)
      }
    }
    return result
  }
}
