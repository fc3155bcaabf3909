/// A `strftime`/`strptime` pattern, with DuckDB's meaning of its specifiers.
///
/// `%Y %y %-y %m %-m %b %B %d %-d %e %j %-j %a %A %w %u %H %-H %I %-I %p %M %-M %S %-S %f %g %n %z %Z
/// %U %W %G %V %s`, and `%F %T %R %D %c %x %X` for combinations of them.
public struct TimePattern: Sendable, Hashable {
  enum Item: Sendable, Hashable {
    case literal([UInt8])
    case field(UInt8, isPadded: Bool)
  }

  /// The pattern as it was written.
  public let text: String
  let items: [Item]

  private static let combinations: [Character: String] = [
    "F": "%Y-%m-%d", "T": "%H:%M:%S", "R": "%H:%M", "D": "%m/%d/%y", "c": "%Y-%m-%d %H:%M:%S",
    "x": "%Y-%m-%d", "X": "%H:%M:%S", "h": "%b",
  ]
  private static let fields = Set("YymbBdejaAwuHIpMSfgnzZUWGVs".utf8)

  /// Compiles a pattern; nil when it has a specifier that is not known.
  public init?(_ text: String) {
    self.text = text
    var items: [Item] = []
    guard Self.append(text, to: &items) else { return nil }
    self.items = items
  }

  private static func append(_ text: String, to items: inout [Item]) -> Bool {
    var literal: [UInt8] = []
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        literal.append(byte)
        continue
      }
      guard var field = bytes.popFirst() else { return false }
      if field == UInt8(ascii: "%") {
        literal.append(field)
        continue
      }
      let isPadded = field != UInt8(ascii: "-")
      if !isPadded {
        guard let next = bytes.popFirst() else { return false }
        field = next
      }
      if !literal.isEmpty { items.append(.literal(literal)) }
      literal = []
      if let longer = combinations[Character(Unicode.Scalar(field))], isPadded {
        guard append(longer, to: &items) else { return false }
      } else {
        guard fields.contains(field) else { return false }
        items.append(.field(field, isPadded: isPadded))
      }
    }
    if !literal.isEmpty { items.append(.literal(literal)) }
    return true
  }

  /// `instant` as the pattern says, on the clock of `zone`.
  public func format(_ instant: Instant, zone: TimeZoneRules = .utc) -> String {
    var out = ByteBuilder(capacity: 32)
    append(instant, zone: zone, to: &out)
    return out.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Appends `instant` as the pattern says, on the clock of `zone`.
  public func append(_ instant: Instant, zone: TimeZoneRules = .utc, to out: inout ByteBuilder) {
    let local = zone.local(instant)
    let clock = TimeFields(local)
    for item in items {
      switch item {
      case .literal(let bytes): out.append(bytes)
      case .field(let field, let isPadded):
        clock.append(field, isPadded: isPadded, instant, zone, to: &out)
      }
    }
  }
}

extension InstantFormat {
  /// What a declared format may be, for messages.
  public static let expectation =
    "iso, epoch_s, epoch_ms, rfc822 or a pattern such as %Y-%m-%d %H:%M"
}
