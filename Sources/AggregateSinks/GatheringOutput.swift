public import AggregateCore

/// An output that gathers rows one after the other and shows them only when it is committed.
public protocol GatheringOutput: RowOutput {}

extension GatheringOutput {
  /// Not possible: rows go in one after the other.
  public func prepare(_ batch: Batch) -> PreparedRows? { nil }

  /// Not used: nothing is prepared.
  public func take(_ prepared: PreparedRows) -> Demand { .more }

  /// Rows wait for the commit whatever happens.
  public func flush() -> Demand { .more }
}
