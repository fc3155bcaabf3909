internal import AggregateCore
internal import AggregateJSON

/// Takes the columns that were asked for from rows that have others.
struct ColumnSelection {
  let columns: [InputColumn]
  let output: Schema

  init(_ columns: [InputColumn]) {
    self.columns = columns
    output = Schema(columns.map { ColumnSpec($0.name) })
  }

  /// A JSON reader of exactly these columns; nil when a path has to be searched for.
  var reader: JSONRecordReader? {
    let paths = columns.compactMap(\.elements)
    guard paths.count == columns.count else { return nil }
    return JSONRecordReader(schema: output, paths: paths)
  }

  /// The rows of `batch`, a table without nesting whose columns are matched by name.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when a column is not there.
  func taken(from schema: Schema, name: String) throws -> @Sendable (Batch) -> Batch {
    let indexes = try columns.map { column -> Int in
      let wanted =
        switch column.place {
        case .name(let written): written
        case .path: column.elements?.count == 1 ? column.elements?[0] : nil
        }
      guard let wanted else {
        throw AggregateError(
          .configuration, "\(name): \(column.shown) leads into a value, but the cells are plain",
          hint: "name one of the columns \(schema.names.joined(separator: ", "))")
      }
      do throws(ColumnLookupError) {
        return try schema.resolve(wanted).index
      } catch {
        throw AggregateError(
          .configuration, "\(name): \(error.message)", hint: error.hint)
      }
    }
    let output = self.output
    return { batch in
      Batch(
        schema: output, columns: indexes.map { batch.columns[$0] }, rowCount: batch.rowCount)
    }
  }

  /// The columns of whole records, each searched on its own.
  func searched(in records: SpanColumn) throws -> Batch {
    var builder = BatchBuilder(schema: output)
    for cell in records.cells {
      let document = cell.kind.isNested
        ? try JSONDocument(parsing: records.buffer, in: cell.range) : nil
      for column in columns {
        guard let document else {
          let isWhole = column.elements == []
          if isWhole { builder.append(cell, of: records.buffer) } else { builder.append(Value.absent) }
          continue
        }
        append(column, of: document, to: &builder)
      }
      builder.endRow()
    }
    return builder.finish()
  }

  private func append(
    _ column: InputColumn, of document: JSONDocument, to builder: inout BatchBuilder
  ) {
    let path: JSONPath
    switch column.place {
    case .path(let written): path = written
    case .name(let name):
      var node: JSONNode? = document.root
      for element in ColumnPath(text: name).elements {
        node = node.flatMap { $0[element] ?? Int(element).flatMap { [node] in node?[$0] } }
      }
      guard let node else { return builder.append(Value.absent) }
      return builder.append(node.cell, of: document.buffer)
    }
    if path.isSingular {
      guard let node = path.firstNode(in: document.root) else {
        return builder.append(Value.absent)
      }
      return builder.append(node.cell, of: document.buffer)
    }
    let items = path.nodes(in: document.root).map(\.rawText)
    builder.append(json: "[" + items.joined(separator: ",") + "]", kind: .array)
  }
}
