import Synchronization

/// The offsets of a time zone from UTC, by time: IANA zones, `UTC` and fixed offsets.
///
/// Read once from the system's TZif files and kept; the process's own `TZ` plays no part.
public final class TimeZoneRules: Sendable {
  /// The name it was asked for: `Europe/Paris`, `UTC`, `+02:00`.
  public let name: String
  private let transitions: [Int64]
  private let offsets: [Int32]
  private let firstOffset: Int32
  private let footer: PosixZone?

  /// Coordinated Universal Time.
  public static let utc = TimeZoneRules(name: "UTC", fixed: 0)

  private static let cache = Mutex<[String: TimeZoneRules]>([:])
  private static let directories = [
    "/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo",
  ]

  /// The zone of this name; nil when there is none.
  public static func named(_ name: String) -> TimeZoneRules? {
    if let known = cache.withLock({ $0[name] }) { return known }
    guard let made = make(name) else { return nil }
    cache.withLock { $0[name] = made }
    return made
  }

  /// Whether there is a zone of this name.
  public static func exists(_ name: String) -> Bool { named(name) != nil }

  private init(name: String, fixed: Int) {
    self.name = name
    transitions = []
    offsets = []
    firstOffset = Int32(fixed)
    footer = nil
  }

  init(name: String, file: ZoneFile) {
    self.name = name
    transitions = file.transitions
    offsets = file.offsets
    firstOffset = file.firstOffset
    footer = file.footer
  }

  private static func make(_ name: String) -> TimeZoneRules? {
    switch name.uppercased() {
    case "UTC", "Z", "GMT", "UT", "ETC/UTC": return TimeZoneRules(name: "UTC", fixed: 0)
    default: break
    }
    if let offset = fixedOffset(name) { return TimeZoneRules(name: name, fixed: offset) }
    let allowed = name.utf8.allSatisfy { byte in
      NumberText.isDigit(byte) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
        || "/_+-".utf8.contains(byte)
    }
    guard allowed, !name.isEmpty, name.utf8.first != UInt8(ascii: "/"), name.utf8.count < 100
    else { return nil }
    for directory in directories {
      if let bytes = ZoneFile.contents(of: "\(directory)/\(name)"),
        let file = ZoneFile(bytes)
      {
        return TimeZoneRules(name: name, file: file)
      }
    }
    return nil
  }

  /// Seconds of `+02:00`, `-0530`, `+02`, optionally behind `UTC` or `GMT`.
  private static func fixedOffset(_ name: String) -> Int? {
    var text = name.uppercased()
    for prefix in ["UTC", "GMT"] where text.hasPrefix(prefix) { text.removeFirst(3) }
    return text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
      else { return nil }
      var cursor = 0
      guard let offset = TimeGrammar.offset(bytes, &cursor), cursor == bytes.count
      else { return nil }
      return offset
    }
  }

  /// The offset from UTC, in seconds, at a point in time.
  public func offset(at instant: Instant) -> Int {
    offset(atSecond: Instant.floorDivide(instant.microseconds, 1_000_000))
  }

  private func offset(atSecond second: Int64) -> Int {
    guard let last = transitions.last else {
      return footer?.offset(atSecond: second) ?? Int(firstOffset)
    }
    if second >= last, let footer { return footer.offset(atSecond: second) }
    // The number of transitions at or before `second`.
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= second { low = middle + 1 } else { high = middle }
    }
    return Int(low == 0 ? firstOffset : offsets[low - 1])
  }

  /// The instant of a local time given in microseconds since 1970-01-01T00:00 of the local clock.
  ///
  /// A time that the clock shows twice is the earlier one; one that it skips is taken with the offset
  /// before the gap, which moves it on by the length of the gap. Nil when out of range.
  public func instant(local: Int64) -> Instant? {
    guard abs(local / 2) < Int64.max / 2 - 86_400_000_000_000 else { return nil }
    if transitions.isEmpty && footer == nil {
      return Instant(microseconds: local - Int64(firstOffset) * 1_000_000)
    }
    let second = Instant.floorDivide(local, 1_000_000)
    let before = offset(atSecond: second - 86_400)
    let after = offset(atSecond: second + 86_400)
    let early = Instant(microseconds: local - Int64(before) * 1_000_000)
    if before == after || offset(at: early) == before { return early }
    let late = Instant(microseconds: local - Int64(after) * 1_000_000)
    return offset(at: late) == after ? late : early
  }

  /// The instant of a local date and time of day.
  public func instant(_ date: CalendarDate, microsecondsOfDay: Int64 = 0) -> Instant? {
    instant(local: Int64(date.days) * 86_400_000_000 + microsecondsOfDay)
  }

  /// The calendar date that the zone's clock shows at a point in time.
  public func date(at instant: Instant) -> CalendarDate { local(instant).date }

  /// The local clock at a point in time, as if it were UTC.
  public func local(_ instant: Instant) -> Instant {
    Instant(microseconds: instant.microseconds &+ Int64(offset(at: instant)) * 1_000_000)
  }
}
