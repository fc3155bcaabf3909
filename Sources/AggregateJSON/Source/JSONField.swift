public import AggregateCore

/// A column of a provider's rows, and where its value stands in a record.
public struct JSONField: Sendable {
  /// What numbers of a column of instants count, from 1970 on.
  public enum Epoch: Int64, Sendable {
    case seconds = 1_000_000
    case milliseconds = 1_000
  }

  /// The column.
  public let column: ColumnSpec
  /// The keys, and in digits the positions in lists, that lead to the value; none for the record itself.
  let path: [String]
  let isRequired: Bool
  /// Whether its value is the name of the part, and not in the record.
  private(set) var isPartName = false
  private let epoch: Epoch
  private let values: [String: String]

  /// The name of the ``JSONPart`` that a record belongs to, such as the room or the city that was asked for.
  public static func part(_ name: String, _ description: String) -> JSONField {
    var field = JSONField(name, .text, description)
    field.isPartName = true
    return field
  }

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - path: Keys and positions joined with dots, such as `geometry.coordinates.0`; the name if nil.
  ///   - epoch: What numbers count in a column of instants.
  ///   - values: What stands for a text, where the service has codes.
  ///   - isRequired: Whether a record without it is an error.
  public init(
    _ name: String, _ type: ValueType, at path: String? = nil, unit: String? = nil,
    epoch: Epoch = .seconds, values: [String: String] = [:], required isRequired: Bool = false,
    _ description: String
  ) {
    column = ColumnSpec(name, type, unit: unit, description: description)
    let text = path ?? name
    self.path = text.isEmpty ? [] : ColumnPath(text: text).elements
    self.epoch = epoch
    self.values = values
    self.isRequired = isRequired
  }

  /// The value in a record; nil when there is none, or null.
  func node(in record: JSONNode) -> JSONNode? {
    var node = record
    for step in path {
      let child = node.kind == .array ? Int(step).flatMap { node[$0] } : node[step]
      guard let child else { return nil }
      node = child
    }
    return node.isNull ? nil : node
  }

  /// Appends the value; false, with a null appended, when it does not read as the column's type.
  func append(_ node: JSONNode, to rows: inout BatchBuilder) -> Bool {
    switch column.type {
    case .any, .json:
      rows.append(node)
    case .list:
      guard node.kind == .array else { return refuse(&rows) }
      rows.append(json: node.minified, kind: .array)
    case .int:
      guard let value = node.int64 ?? node.string.flatMap({ Int64($0) }) else {
        return refuse(&rows)
      }
      rows.append(value)
    case .number:
      guard let text = node.numberText ?? node.string, NumberText.kind(text) != nil else {
        return refuse(&rows)
      }
      rows.append(number: text)
    case .bool:
      guard let value = node.bool ?? Self.flag(node) else { return refuse(&rows) }
      rows.append(value)
    case .text:
      guard !node.kind.isNested else { return refuse(&rows) }
      let text = node.string ?? node.rawText
      rows.append(values[text] ?? text)
    case .instant:
      guard let instant = instant(node) else { return refuse(&rows) }
      rows.append(instant)
    case .date:
      guard let date = node.string.flatMap({ CalendarDate(iso8601: String($0.prefix(10))) }) else {
        return refuse(&rows)
      }
      rows.append(date)
    }
    return true
  }

  private func refuse(_ rows: inout BatchBuilder) -> Bool {
    rows.appendNull()
    return false
  }

  private static func flag(_ node: JSONNode) -> Bool? {
    node.int64.map { $0 != 0 } ?? node.string.flatMap { Options.bool($0) }
  }

  private func instant(_ node: JSONNode) -> Instant? {
    if let text = node.string { return Instant(iso8601: text) }
    if let count = node.int64 {
      let (value, overflow) = count.multipliedReportingOverflow(by: epoch.rawValue)
      return overflow ? nil : Instant(microseconds: value)
    }
    guard let count = node.double else { return nil }
    let value = (count * Double(epoch.rawValue)).rounded()
    return abs(value) < 9e18 ? Instant(microseconds: Int64(value)) : nil
  }
}
