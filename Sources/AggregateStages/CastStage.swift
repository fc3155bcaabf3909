internal import AggregateCore
internal import AggregateExpressions

/// Converts columns to a type.
struct CastStage: Stage {
  static let spec = StageSpec(
    "cast", "Convert columns to a type.",
    options: [
      OptionSpec(
        "columns", .map(of: .choice(ValueType.declarable), keys: "column"), required: true,
        "For each column, its new type.", example: "{ temp: number, day: date }")
    ],
    shorthand: .entries("columns"), positionals: ["columns"],
    discussion: """
      A value that does not read as the type becomes null, and is reported once per column; with \
      --strict it ends the run. Numbers keep the digits they were written with.
      """,
    example: "cast: { temp: number, date: date }")

  private let casts: [(name: LocatedText, type: ValueType)]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    casts = (options.entries("columns") ?? []).compactMap { entry in
      entry.value.string.flatMap(ValueType.init(rawValue:)).map {
        (LocatedText(entry.key, at: entry.location), $0)
      }
    }
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    var columns = schema.columns
    var conversions: [Cast.Conversion] = []
    let indexes = try schema.resolveWhole(casts.map(\.name))
    for (index, cast) in zip(indexes, casts) {
      let name = LocatedText(schema.columns[index].name, at: cast.name.location)
      let sqlType: String? =
        switch cast.type {
        case .int: "BIGINT"
        case .bool: "BOOLEAN"
        case .instant: "TIMESTAMP"
        case .date: "DATE"
        case .number: "DOUBLE"
        case .any, .text, .json, .list: nil
        }
      let expression = try sqlType.map { type in
        try ExpressionOption.made({ "CAST(\($0) AS \(type))" }, of: name).bind(schema)
      }
      conversions.append(
        Cast.Conversion(index: index, name: name.text, type: cast.type, expression: expression))
      columns[index].type = cast.type
    }
    return .rows(
      Cast(
        output: try schema.replacing(columns, at: nil), conversions: conversions, log: context.log))
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    downstream.passing(
      output: schema, needing: try schema.resolve(casts.map(\.name)), of: schema)
  }

  private struct Cast: RowTransform {
    struct Conversion: Sendable {
      let index: Int
      let name: String
      let type: ValueType
      let expression: BoundExpression?
    }

    let output: Schema
    let conversions: [Conversion]
    let log: RunLog

    func apply(_ batch: Batch) throws -> Batch {
      var columns = batch.columns
      for conversion in conversions {
        columns[conversion.index] = try converted(batch, conversion)
      }
      return Batch(schema: output, columns: columns, rowCount: batch.rowCount)
    }

    private func converted(_ batch: Batch, _ conversion: Conversion) throws -> Column {
      let column = batch.columns[conversion.index]
      if conversion.type == .instant, let expression = conversion.expression {
        var columns = batch.columns
        columns[conversion.index] = EpochNumbers.timed(column)
        let timed = Batch(schema: batch.schema, columns: columns, rowCount: batch.rowCount)
        return try expression.evaluate(timed, into: conversion.name, log: log)
      }
      guard let expression = conversion.expression else {
        return conversion.type == .text ? text(column) : try nested(column, conversion)
      }
      guard conversion.type == .number || conversion.type == .int, case .spans(let spans) = column
      else { return try expression.evaluate(batch, into: conversion.name, log: log) }
      let (cells, misfits) = relabelled(spans, conversion.type)
      let same = Column.spans(SpanColumn(buffer: spans.buffer, cells: cells))
      if misfits.isEmpty { return same }
      let others = try expression.evaluate(
        batch.gathered(misfits), into: conversion.name, log: log)
      var builder = CellBuilder()
      var next = 0
      for row in 0..<batch.rowCount {
        if next < misfits.count, misfits[next] == row {
          builder.append(next, of: others)
          next += 1
        } else {
          builder.append(row, of: same)
        }
      }
      return builder.finish()
    }

    /// The cells that already read as `type`, whose digits do not change, and the rows of the others.
    private func relabelled(
      _ spans: SpanColumn, _ type: ValueType
    ) -> (cells: [Cell], misfits: [Int32]) {
      var misfits: [Int32] = []
      var same: [Cell] = []
      same.reserveCapacity(spans.cells.count)
      spans.withCells { bytes, cells in
        for row in cells.indices {
          let cell = cells[row]
          same.append(cell)
          if cell.kind.isNull { continue }
          if cell.kind.isNumber || cell.kind == .text {
            let text = UnsafeRawBufferPointer(rebasing: bytes[cell.range])
            if let kind = cell.kind == .text ? NumberText.kind(text) : cell.kind,
              type == .number || kind == .integer && NumberText.int64(text) != nil
            {
              same[row] = Cell(kind, offset: cell.offset, length: cell.length)
              continue
            }
          }
          misfits.append(Int32(row))
        }
      }
      return (same, misfits)
    }

    private func text(_ column: Column) -> Column {
      var cells = CellBuilder()
      for row in 0..<column.count {
        let value = column.value(at: row)
        cells.append(value.isNull ? value : .text(value.displayText))
      }
      return cells.finish()
    }

    private func nested(_ column: Column, _ conversion: Conversion) throws -> Column {
      guard conversion.type == .list else { return column }
      var cells = CellBuilder()
      var lost = 0
      var example = ""
      for row in 0..<column.count {
        let kind = column.kind(at: row)
        if kind.isNull || kind == .array {
          cells.append(row, of: column)
        } else {
          if lost == 0 { example = column.value(at: row).displayText }
          lost += 1
          cells.append(Cell.null)
        }
      }
      if lost > 0 {
        try log.lost(
          column: conversion.name, kind: "do not read as list", count: lost, example: example)
      }
      return cells.finish()
    }
  }
}
