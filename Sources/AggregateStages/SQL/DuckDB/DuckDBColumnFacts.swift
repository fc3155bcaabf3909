internal import AggregateCore

/// Which values a column has had, and so the type that keeps all of them.
struct DuckDBColumnFacts: Sendable {
  /// How many digits a double keeps, whatever they are.
  private static let exactDigits = 15
  /// How many digits a number of 128 bits keeps.
  private static let mostDigits = 38

  private let declared: ValueType
  private var hasBooleans = false
  private var hasWhole = false
  /// Whole numbers that a double does not keep.
  private var hasLongWhole = false
  /// Whole numbers beyond 64 bits.
  private var hasHuge = false
  private var hasReal = false
  /// Real numbers that a double does not keep.
  private var hasLongReal = false
  /// Numbers that have an exponent, or are known as doubles only.
  private var hasExponent = false
  private var wholeDigits = 0
  private var scale = 0
  private var hasText = false
  private var hasDates = false
  private var hasInstants = false
  private var hasNested = false

  /// Creates the facts of a column that had no values.
  init(_ declared: ValueType) { self.declared = declared }

  /// Whether numbers lose digits under ``kind``.
  var rounds: Bool { kind == .double && (hasLongReal || hasLongWhole || hasHuge) }

  /// The type that keeps all values, if there is one.
  var kind: DuckDBColumnKind {
    let isNumber = hasWhole || hasReal
    let isText = hasText || hasDates || hasInstants
    let kinds = [isNumber, isText, hasBooleans].count { $0 }
    if hasNested || declared == .json || declared == .list { return .json }
    if kinds > 1 { return .text }
    if hasBooleans { return .boolean }
    if isNumber { return number }
    if hasText || hasDates && hasInstants { return .text }
    if hasDates { return .date }
    if hasInstants { return .instant }
    return DuckDBColumnKind(declared: declared)
  }

  private var number: DuckDBColumnKind {
    let isLong = hasLongReal || hasLongWhole
    let fits = wholeDigits + scale <= Self.mostDigits
    guard hasReal else {
      if !fits { return .double }
      if hasHuge { return .huge }
      return declared == .number && !isLong ? .double : .whole
    }
    return isLong && fits && !hasExponent ? .decimal(scale: scale) : .double
  }

  /// Takes note of the values of a column.
  mutating func note(_ column: Column) {
    switch column {
    case .spans(let spans): note(spans)
    case .ints(let vector):
      for row in vector.values.indices {
        if let value = vector[row] { note(whole: String(value)) }
      }
    case .doubles(let vector):
      if vector.values.indices.contains(where: { vector[$0] != nil }) {
        hasReal = true
        hasExponent = true
      }
    case .bools(let vector):
      hasBooleans = hasBooleans || vector.values.indices.contains { vector[$0] != nil }
    case .instants(let vector):
      hasInstants = hasInstants || vector.values.indices.contains { vector[$0] != nil }
    case .dates(let vector):
      hasDates = hasDates || vector.values.indices.contains { vector[$0] != nil }
    }
  }

  private mutating func note(_ spans: SpanColumn) {
    let cells = spans.cells
    let isTimed = declared == .instant || declared == .date
    spans.buffer.withUnsafeBytes { bytes in
      for cell in cells {
        switch cell.kind {
        case .absent, .null: break
        case .text where isTimed, .escapedText where isTimed:
          note(time: String(decoding: bytes[cell.range], as: UTF8.self))
        case .text, .escapedText: hasText = true
        case .integer: note(whole: UnsafeRawBufferPointer(rebasing: bytes[cell.range]))
        case .real: note(real: UnsafeRawBufferPointer(rebasing: bytes[cell.range]))
        case .true, .false: hasBooleans = true
        case .object, .array: hasNested = true
        }
      }
    }
  }

  private mutating func note(time text: String) {
    if declared == .instant, Instant(iso8601: text) != nil {
      hasInstants = true
    } else if declared == .date, CalendarDate(iso8601: text) != nil {
      hasDates = true
    } else {
      hasText = true
    }
  }

  private mutating func note(whole text: String) {
    var text = text
    text.withUTF8 { note(whole: UnsafeRawBufferPointer($0)) }
  }

  private mutating func note(whole text: UnsafeRawBufferPointer) {
    hasWhole = true
    let digits = text.count - (text.first == UInt8(ascii: "-") ? 1 : 0)
    wholeDigits = max(wholeDigits, digits)
    if digits > Self.exactDigits { hasLongWhole = true }
    if digits > 18, NumberText.int64(text) == nil { hasHuge = true }
  }

  private mutating func note(real text: UnsafeRawBufferPointer) {
    hasReal = true
    var point: Int?
    var digits = 0
    var significant = 0
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): break
      case UInt8(ascii: "."): point = digits
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        hasExponent = true
        if significant > Self.exactDigits { hasLongReal = true }
        return
      default:
        digits += 1
        if significant > 0 || byte != UInt8(ascii: "0") { significant += 1 }
      }
    }
    wholeDigits = max(wholeDigits, point ?? digits)
    scale = max(scale, digits - (point ?? digits))
    if significant > Self.exactDigits { hasLongReal = true }
  }
}
