internal import AggregateCore

/// A part of the source: the values that its templates take.
public struct RESTPart: Sendable {
  /// The values, by name.
  let values: [String: String]

  /// The values with what the templates take of a window.
  func values(in window: Window?) -> [String: String] {
    guard let window else { return values }
    var values = values
    values["since"] = window.since
    values["until"] = window.until
    return values
  }
}
