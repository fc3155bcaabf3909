/// What happens when a column appears that the first rows did not have, and the header is fixed.
public enum NewColumnPolicy: String, Sendable, CaseIterable {
  /// The run fails, so that nothing is lost.
  case error
  /// The column is left out.
  case drop
  /// Its values are kept as JSON in a last column ``Schema/overflowName``.
  case extra
}
