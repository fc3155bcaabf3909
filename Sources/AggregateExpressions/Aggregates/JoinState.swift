import AggregateCore

/// All values as a JSON list, or joined as text.
final class JoinState: GroupState {
  private var parts: [[UInt8]?] = []
  private let separator: [UInt8]?

  init(separator: [UInt8]?) { self.separator = separator }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    parts.grow(to: groupCount, nil)
    if let separator {
      let text = frame.texts(operand)
      for row in 0..<frame.count {
        guard let value = text[row] else { continue }
        let group = Int(groups[row])
        if parts[group] == nil {
          parts[group] = []
        } else {
          parts[group]?.append(contentsOf: separator)
        }
        parts[group]?.append(contentsOf: value)
      }
      return
    }
    let reader = CellReader(operand)
    var item = ByteBuilder(capacity: 256)
    for row in 0..<frame.count {
      let group = Int(groups[row])
      item.removeAll()
      item.append(UInt8(ascii: parts[group] == nil ? "[" : ","))
      if let number = reader.number(row) {
        item.append(number)
      } else {
        Self.append(reader[row], &item)
      }
      if parts[group] == nil { parts[group] = [] }
      item.withUnsafeBytes { parts[group]?.append(contentsOf: $0) }
    }
  }

  private static func append(_ value: CellValue, _ out: inout ByteBuilder) {
    switch value {
    case .text(let bytes):
      out.append(UInt8(ascii: "\""))
      EscapedText.encode(bytes, into: &out)
      out.append(UInt8(ascii: "\""))
    case .instant, .date, .interval: out.append(EscapedText.quoted(value.shown))
    case .double(let number) where !number.isFinite: out.append(literal: "null")
    case .nested(let bytes): out.append(bytes)
    default: out.append(value.shown)
    }
  }

  func finish(groupCount: Int) -> Column {
    let parts = parts.filled(to: groupCount, nil)
    return Rows.cells(groupCount) { group, out in
      guard let part = parts[group] else { return .null }
      out.append(part)
      if separator != nil { return .text }
      out.append(UInt8(ascii: "]"))
      return .array
    }.column(count: groupCount)
  }
}
