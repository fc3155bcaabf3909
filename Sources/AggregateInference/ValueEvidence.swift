import AggregateCore

/// What was seen of the values of one column, and so which type it has.
struct ValueEvidence {
  private(set) var seen = 0
  private(set) var nulls = 0
  private var booleans = 0
  private var integers = 0
  private var reals = 0
  private var texts = 0
  private var instants = 0
  private var naive = 0
  private var dates = 0
  private var lists = 0
  private var objects = 0
  private var smallest = Int64.max
  private var largest = Int64.min
  private(set) var example: String?

  /// What a column is declared as.
  struct Reading: Equatable {
    var type: ValueType?
    var format: String?
    /// What people are told of it.
    var note: String
  }

  /// Takes note of a value.
  mutating func note(_ kind: CellKind, _ text: @autoclosure () -> String) {
    seen += 1
    if kind.isNull {
      nulls += 1
      return
    }
    let text = text()
    if example == nil { example = text }
    switch kind {
    case .true, .false: booleans += 1
    case .integer:
      integers += 1
      if let number = Int64(text) {
        smallest = min(smallest, number)
        largest = max(largest, number)
      } else {
        smallest = .min
      }
    case .real: reals += 1
    case .array: lists += 1
    case .object: objects += 1
    default:
      texts += 1
      noteTime(text)
    }
  }

  private mutating func noteTime(_ text: String) {
    guard text.utf8.count >= 8, text.utf8.count <= 40 else { return }
    if text.utf8.count == 10, CalendarDate(iso8601: text) != nil {
      dates += 1
      return
    }
    var copy = text
    let reading = copy.withUTF8 { bytes in
      InstantParser.iso8601(UnsafeRawBufferPointer(bytes))
        ?? InstantParser.rfc822(UnsafeRawBufferPointer(bytes))
    }
    guard let reading, !reading.isDateOnly else { return }
    if reading.isNaive { naive += 1 } else { instants += 1 }
  }

  /// What the column is; only what all of the values allow.
  func reading(name: String) -> Reading {
    switch seen - nulls {
    case 0: return Reading(note: "always null")
    case booleans: return Reading(type: .bool, note: "boolean")
    case integers: return number(name)
    case integers + reals: return Reading(type: .number, note: "number")
    case instants: return Reading(type: .instant, note: "time")
    case dates: return Reading(type: .date, note: "date")
    case naive:
      return Reading(note: "a time without zone: add “type: instant” and “zone:”")
    case texts: return Reading(note: "text")
    case lists: return Reading(type: .list, note: "list")
    case objects: return Reading(type: .json, note: "object")
    default: return Reading(note: "values of several types")
    }
  }

  private func number(_ name: String) -> Reading {
    let words = FieldName.words(name)
    let isTime = !Set(words).isDisjoint(with: [
      "time", "timestamp", "ts", "at", "date", "dt", "created", "updated", "modified", "published",
      "epoch", "expires",
    ])
    if isTime {
      if smallest >= 300_000_000, largest < 10_000_000_000 {
        return Reading(type: .instant, format: "epoch_s", note: "seconds since 1970")
      }
      if smallest >= 300_000_000_000, largest < 10_000_000_000_000 {
        return Reading(type: .instant, format: "epoch_ms", note: "milliseconds since 1970")
      }
    }
    // Prices and measures may well have a fraction on the next page.
    let isCounted = !Set(words).isDisjoint(with: [
      "id", "count", "number", "no", "year", "month", "day", "index", "position", "rank", "page",
      "order", "total",
    ])
    return isCounted
      ? Reading(type: .int, note: "whole number") : Reading(type: .number, note: "number")
  }

  /// How often there was a value, and an example, for a comment.
  func comment(_ reading: Reading) -> String {
    var text = reading.note
    if nulls > 0 || seen == 0 { text += ", \(nulls) of \(seen) null" }
    guard let example, reading.type != .list, reading.type != .json else { return text }
    let line = example.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !line.isEmpty else { return text }
    return text + ", e.g. " + (line.count > 40 ? line.prefix(39) + "…" : line)
  }
}
