import AggregateCore
import AggregateExpressions
import AggregateJSON
import Foundation

/// Rows and values of the files in `Oracle/`.
enum Oracle {
  /// - Throws: What the file system says, or the place of a line that is no JSON.
  static func lines(_ name: String) throws -> [JSONNode] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "Oracle/\(name)")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
      try JSONDocument(String($0)).root
    }
  }

  /// The type that a column has when all its values are like these.
  static func type(_ nodes: [JSONNode]) -> ValueType {
    var type: ValueType?
    for node in nodes {
      let found: ValueType? =
        switch node.kind {
        case .integer: .int
        case .real: .number
        case .true, .false: .bool
        case .text, .escapedText: .text
        case .object, .array: .json
        case .null, .absent: nil
        }
      if let found { type = type == nil || type == found ? found : .any }
    }
    return type ?? .any
  }

  /// The rows as a batch; `isTyped` says whether the columns declare what they hold.
  static func batch(_ rows: [JSONNode], isTyped: Bool) -> Batch {
    var names: [String] = []
    for row in rows {
      for member in row.members {
        if let name = member.key.string, !names.contains(name) { names.append(name) }
      }
    }
    let columns = names.map { name -> ColumnSpec in
      ColumnSpec(name, isTyped ? type(rows.compactMap { $0[name] }) : .any)
    }
    let made = names.enumerated().map { index, name -> Column in
      let nodes = rows.map { $0[name] }
      switch columns[index].type {
      case .int where isTyped:
        return .ints(
          Vector(nodes.map { $0?.int64 ?? 0 }, nulls: nodes.map { $0?.isNull ?? true }))
      case .number where isTyped:
        return .doubles(
          Vector(nodes.map { $0?.double ?? 0 }, nulls: nodes.map { $0?.isNull ?? true }))
      case .bool where isTyped:
        return .bools(
          Vector(nodes.map { $0?.bool ?? false }, nulls: nodes.map { $0?.isNull ?? true }))
      default:
        let buffer = rows.first?.document.buffer ?? .empty
        return .spans(SpanColumn(buffer: buffer, cells: nodes.map { $0?.cell ?? .absent }))
      }
    }
    return Batch(schema: Schema(columns), columns: made, rowCount: rows.count)
  }

  /// Whether a computed value is the expected one, as the oracle's README says to compare them.
  static func agrees(_ value: Value, _ wanted: JSONNode) -> Bool {
    switch value {
    case .absent, .null: return wanted.isNull
    case .bool(let value): return wanted.bool == value
    case .int(let value):
      if let whole = wanted.int64 { return whole == value }
      return wanted.double == Double(value)
    case .double(let value): return near(value, wanted.double)
    case .number(let text):
      if wanted.numberText == text { return true }
      if let whole = Int64(text), let other = wanted.int64 { return whole == other }
      return near(Double(text), wanted.double)
    case .text(let value): return wanted.string == value
    case .date(let value): return wanted.string == value.iso8601
    case .instant(let value):
      guard let text = wanted.string else { return false }
      return Instant(iso8601: text, zone: .utc) == value
    case .json(let text):
      guard let document = try? JSONDocument(text) else { return false }
      return same(document.root, wanted)
    }
  }

  private static func near(_ a: Double?, _ b: Double?) -> Bool {
    guard let a, let b else { return false }
    return a == b || abs(a - b) <= 1e-12 * max(abs(a), abs(b))
  }

  private static func same(_ a: JSONNode, _ b: JSONNode) -> Bool {
    switch a.kind {
    case .array:
      let x = Array(a.elements)
      let y = Array(b.elements)
      return b.kind == .array && x.count == y.count && zip(x, y).allSatisfy(same)
    case .object:
      return b.kind == .object && a.count == b.count
        && a.members.allSatisfy { member in
          guard let key = member.key.string, let other = b[key] else { return false }
          return same(member.value, other)
        }
    case .integer, .real: return near(a.double, b.double)
    case .text, .escapedText: return a.string == b.string
    default: return a.kind == b.kind
    }
  }
}
