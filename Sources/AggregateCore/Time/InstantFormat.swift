/// How times are written in a source: what a declaration's `format` says.
public struct InstantFormat: Sendable, Hashable {
  private enum Form: Hashable {
    case automatic
    case iso
    case epoch(unit: Int64)
    case rfc822
    case pattern(TimePattern)
  }

  private let form: Form

  /// ISO 8601, RFC 822, and numbers as epoch seconds (below 10¹¹) or milliseconds.
  public static let automatic = InstantFormat(.automatic)
  /// ISO 8601.
  public static let iso = InstantFormat(.iso)

  private init(_ form: Form) { self.form = form }

  /// Creates a format from its declaration; nil when it is none of `iso`, `epoch_s`, `epoch_ms`,
  /// `epoch_us`, `rfc822` and is no pattern with known specifiers.
  public init?(_ text: String) {
    switch text {
    case "iso", "iso8601": form = .iso
    case "epoch_s", "epoch": form = .epoch(unit: 1_000_000)
    case "epoch_ms": form = .epoch(unit: 1000)
    case "epoch_us": form = .epoch(unit: 1)
    case "rfc822", "rfc2822": form = .rfc822
    default:
      guard text.utf8.contains(UInt8(ascii: "%")), let pattern = TimePattern(text)
      else { return nil }
      form = .pattern(pattern)
    }
  }

  /// What `bytes` say; nil when they are not of this format.
  public func read(_ bytes: UnsafeRawBufferPointer) -> InstantReading? {
    switch form {
    case .automatic:
      if let found = InstantParser.any(bytes) { return found }
      return InstantParser.epoch(bytes).map {
        InstantReading(local: $0.microseconds, offset: 0)
      }
    case .iso: return InstantParser.iso8601(bytes)
    case .epoch(let unit):
      return InstantParser.epoch(bytes, unit: unit).map {
        InstantReading(local: $0.microseconds, offset: 0)
      }
    case .rfc822: return InstantParser.rfc822(bytes)
    case .pattern(let pattern): return pattern.parse(bytes)
    }
  }

  /// The point in time that `bytes` name; a naive one is taken in `zone`, and is nil without one.
  public func parse(_ bytes: UnsafeRawBufferPointer, zone: TimeZoneRules? = nil) -> Instant? {
    read(bytes)?.instant(zone: zone)
  }

  /// The point in time that `text` names; a naive one is taken in `zone`, and is nil without one.
  public func parse(_ text: String, zone: TimeZoneRules? = nil) -> Instant? {
    var text = text
    return text.withUTF8 { parse(UnsafeRawBufferPointer($0), zone: zone) }
  }

  /// `instant` in this format, as a request or a file would have it.
  public func format(_ instant: Instant, zone: TimeZoneRules = .utc) -> String {
    switch form {
    case .automatic, .iso: instant.iso8601
    case .epoch(let unit):
      String(Instant.floorDivide(instant.microseconds, unit))
    case .rfc822:
      InstantFormat.rfcPattern?.format(instant) ?? instant.iso8601
    case .pattern(let pattern): pattern.format(instant, zone: zone)
    }
  }

  private static let rfcPattern = TimePattern("%a, %d %b %Y %H:%M:%S +0000")
}
