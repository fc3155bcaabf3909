/// What happens to a run when one of its sources fails.
public enum ErrorPolicy: String, Sendable, CaseIterable {
  /// The run stops.
  case fail
  /// The source's further rows are left out, and the others go on.
  case skip
  /// Rows of an earlier run take the place of the missing ones.
  case stale
  /// What arrived is kept, and the source's other partitions go on.
  case partial
}
