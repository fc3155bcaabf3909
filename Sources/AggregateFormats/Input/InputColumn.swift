internal import AggregateCore
public import AggregateJSON

/// A column that was asked for, and where its values are in a record.
public struct InputColumn: Sendable {
  /// Where values are in a record.
  public enum Place: Sendable {
    /// What a JSONPath gives, from the record on; a list when the path may give several values.
    case path(JSONPath)
    /// The field of this name, or the path that it is the text of.
    case name(String)
  }

  /// The name, as it will stand in a header.
  public let name: String
  /// Where its values are.
  public let place: Place

  /// Creates a column.
  public init(_ name: String, _ place: Place) {
    self.name = name
    self.place = place
  }

  /// The keys and indexes that lead to its value; nil when that takes a search.
  var elements: [String]? {
    switch place {
    case .path(let path): path.singularElements
    case .name(let name): ColumnPath(text: name).elements
    }
  }

  /// How it is told in messages.
  var shown: String {
    switch place {
    case .path(let path): path.text
    case .name(let name): name
    }
  }
}
