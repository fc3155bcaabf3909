/// Rows on their way from a source: ready, or still to be decoded.
///
/// A reader hands out chunks undecoded, so that the executor can decode them, and run the stages that
/// look at one row at a time, on all cores – and still keep the order.
public enum Work: Sendable {
  /// Rows that are ready.
  case batch(Batch)
  /// Rows that `decode` makes when it is called, once, on any thread.
  case deferred(decode: @Sendable () -> Decoded)
}

/// What decoding a chunk gave: the rows up to the first malformed record, and the failure if any.
public struct Decoded: Sendable {
  /// The rows, in order.
  public var batches: [Batch]
  /// What stopped the decoding; the rows before it are good.
  public var failure: (any Error)?

  /// Creates a result.
  public init(batches: [Batch], failure: (any Error)? = nil) {
    self.batches = batches
    self.failure = failure
  }
}

/// Whether more rows are wanted.
public enum Demand: Sendable {
  /// More rows are welcome.
  case more
  /// Nothing that comes later can change the result: stop, requests included.
  case enough
}

/// Which values of a record are wanted by what comes after.
public enum ColumnDemand: Sendable, Equatable {
  /// All of them.
  case all
  /// These, in the order first asked for; each path is asked for once.
  case paths([ColumnPath])

  /// This demand and `other` together.
  public func union(_ other: ColumnDemand) -> ColumnDemand {
    guard case .paths(let mine) = self, case .paths(let others) = other else { return .all }
    return .paths(mine + others.filter { !mine.contains($0) })
  }

  /// The demand for what `references` lead to in `schema`.
  public static func of(_ references: [ColumnReference], in schema: Schema) -> ColumnDemand {
    var paths: [ColumnPath] = []
    for reference in references {
      let column = schema.columns[reference.index]
      let path = ColumnPath((column.path?.elements ?? [column.name]) + reference.subpath)
      if !paths.contains(path) { paths.append(path) }
    }
    return .paths(paths)
  }
}
