/// How far a source is.
package struct SourceProgress: Sendable {
  /// Its name.
  package let name: String
  /// How many rows it gave.
  package let rows: Int
  /// How many requests it sent.
  package let requests: Int
  /// Seconds that it waited for limits and before further tries.
  package let waited: Double
}
