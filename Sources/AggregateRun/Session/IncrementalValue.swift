package import AggregateCore
import AggregateJSON

/// The value of a cursor: a point in time, a number or a text.
package enum IncrementalValue: Sendable, Hashable, Comparable {
  case number(String)
  case text(String)
  case instant(Instant)

  /// Reads what the user wrote, in the format of the declaration or as ISO 8601.
  package init(text: String, format: String) {
    if let instant = InstantFormat(format)?.parse(text, zone: .utc) {
      self = .instant(instant)
    } else if NumberText.kind(text) != nil {
      self = .number(text)
    } else if let instant = InstantFormat.iso.parse(text, zone: .utc) {
      self = .instant(instant)
    } else {
      self = .text(text)
    }
  }

  /// Reads a cell; nil when there is none.
  init?(_ value: Value, format: String) {
    switch value {
    case .absent, .null: return nil
    case .instant(let instant): self = .instant(instant)
    case .date(let date): self = .instant(Instant(date))
    case .int, .double, .number: self.init(text: value.displayText, format: format)
    case .text(let text): self.init(text: text, format: format)
    case .bool, .json: self = .text(value.displayText)
    }
  }

  /// Reads what was kept.
  package init(json: String) {
    guard let root = try? JSONDocument(json).root, let text = root.string else {
      self = .number(json)
      return
    }
    self = InstantFormat.iso.parse(text, zone: .utc).map { .instant($0) } ?? .text(text)
  }

  /// How it is kept.
  package var json: String {
    switch self {
    case .number(let text): text
    case .text, .instant: EscapedText.quoted(text)
    }
  }

  /// How people read it.
  package var text: String {
    switch self {
    case .number(let text), .text(let text): text
    case .instant(let instant): instant.iso8601
    }
  }

  /// How a request has it.
  func written(_ format: String) -> String {
    guard case .instant(let instant) = self, let format = InstantFormat(format) else { return text }
    return format.format(instant)
  }

  /// This much earlier; numbers and texts stay.
  func earlier(by duration: Duration) -> IncrementalValue {
    guard case .instant(let instant) = self else { return self }
    return .instant(instant.advanced(by: .zero - duration))
  }

  /// Numbers before texts before points in time, so that a mixture has an order, too.
  package static func < (lhs: IncrementalValue, rhs: IncrementalValue) -> Bool {
    switch (lhs, rhs) {
    case (.instant(let a), .instant(let b)): return a < b
    case (.text(let a), .text(let b)): return a.utf8.lexicographicallyPrecedes(b.utf8)
    case (.number(let a), .number(let b)):
      if let a = Int64(a), let b = Int64(b) { return a < b }
      return (Double(a) ?? 0) < (Double(b) ?? 0)
    default: return lhs.rank < rhs.rank
    }
  }

  private var rank: Int {
    switch self {
    case .number: 0
    case .text: 1
    case .instant: 2
    }
  }
}

extension Instant {
  /// This instant moved by a duration, as far as times go.
  func advanced(by duration: Duration) -> Instant {
    let parts = duration.components
    let (seconds, overflow) = parts.seconds.multipliedReportingOverflow(by: 1_000_000)
    let change = overflow ? (parts.seconds < 0 ? Int64.min : .max) : seconds
    let whole = microseconds.addingReportingOverflow(
      change.addingReportingOverflow(parts.attoseconds / 1_000_000_000_000).partialValue)
    return whole.overflow ? self : Instant(microseconds: whole.partialValue)
  }
}
