import AggregateCore
import AggregateJSON

/// Values that became null, by what was wrong.
final class Losses {
  struct Loss {
    var count: Int
    let example: String
  }

  private(set) var byKind: [(kind: String, loss: Loss)] = []

  func add(_ kind: String, _ example: () -> String) {
    for index in byKind.indices where byKind[index].kind == kind {
      byKind[index].loss.count += 1
      return
    }
    byKind.append((kind, Loss(count: 1, example: example())))
  }

  var isEmpty: Bool { byKind.isEmpty }
}

/// The rows over which a part of an expression is evaluated.
final class Frame {
  let batch: Batch
  /// The number of rows.
  let count: Int
  /// Where losses are counted; nil when they are wanted as nulls and nothing else.
  let losses: Losses?
  private let parent: Frame?
  private let rows: [Int32]
  private var columns: [ColumnReference: Column] = [:]

  init(_ batch: Batch, losses: Losses?) {
    self.batch = batch
    self.losses = losses
    count = batch.rowCount
    parent = nil
    rows = []
  }

  private init(_ parent: Frame, rows: [Int32], losses: Losses?) {
    batch = parent.batch
    self.losses = losses
    self.parent = parent
    self.rows = rows
    count = rows.count
  }

  /// The given rows of this frame.
  func subset(_ rows: [Int32]) -> Frame { Frame(self, rows: rows, losses: losses) }

  /// The same rows, without counting losses.
  var quiet: Frame { Frame(self, rows: Array(0..<Int32(count)), losses: nil) }

  /// The column that `reference` names, for the rows of this frame.
  func column(_ reference: ColumnReference) -> Column {
    if reference.subpath.isEmpty && parent == nil { return batch.columns[reference.index] }
    if let known = columns[reference] { return known }
    let column: Column
    if let parent {
      column = parent.column(reference).gathered(rows)
    } else {
      column = NestedAccess.column(batch.columns[reference.index], path: reference.subpath)
    }
    columns[reference] = column
    return column
  }

  func lost(_ kind: String, _ example: () -> String) { losses?.add(kind, example) }
}
