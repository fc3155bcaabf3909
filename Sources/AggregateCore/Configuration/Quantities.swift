/// Durations, sizes and rates as people write them: a number and a unit.
public enum Quantities {
  /// A rate: at most `count` in any window of `seconds`.
  public struct Rate: Sendable, Hashable {
    /// How many.
    public let count: Int
    /// In how many seconds.
    public let seconds: Int

    /// Creates a rate.
    public init(count: Int, seconds: Int) {
      self.count = count
      self.seconds = seconds
    }
  }

  /// `500ms`, `30s`, `5m` or `5min`, `1h`, `2d`, `1w`; nil when it is none of these.
  public static func duration(_ text: String) -> Duration? {
    guard let (value, unit) = split(text) else { return nil }
    let seconds: Double
    switch unit {
    case "ms": seconds = value / 1000
    case "s", "sec": seconds = value
    case "m", "min": seconds = value * 60
    case "h": seconds = value * 3600
    case "d": seconds = value * 86_400
    case "w": seconds = value * 604_800
    default: return nil
    }
    guard seconds <= 1e10 else { return nil }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }

  /// `512B`, `10kB`, `50MB`, `2GB` (powers of 1000), `64KiB`, `256MiB`, `4GiB` (powers of 1024), in bytes.
  public static func size(_ text: String) -> Int? {
    guard let (value, unit) = split(text) else { return nil }
    let factor: Double
    switch unit.lowercased() {
    case "b": factor = 1
    case "kb": factor = 1e3
    case "mb": factor = 1e6
    case "gb": factor = 1e9
    case "tb": factor = 1e12
    case "kib": factor = 1024
    case "mib": factor = 1_048_576
    case "gib": factor = 1_073_741_824
    default: return nil
    }
    let bytes = value * factor
    return bytes <= 1e15 ? Int(bytes) : nil
  }

  /// `60/min`, `5/s`, `1000/h`, `100/day`, `450/15min`.
  public static func rate(_ text: String) -> Rate? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(trimmed(parts[0])), count > 0 else { return nil }
    let window = trimmed(parts[1])
    let digits = window.prefix(while: \.isNumber)
    guard let times = digits.isEmpty ? 1 : Int(digits), (1...1_000_000).contains(times) else {
      return nil
    }
    let seconds: Int
    switch trimmed(window[digits.endIndex...]) {
    case "s", "sec", "second": seconds = 1
    case "m", "min", "minute": seconds = 60
    case "h", "hour": seconds = 3600
    case "d", "day": seconds = 86_400
    default: return nil
    }
    return Rate(count: count, seconds: times * seconds)
  }

  private static func trimmed(_ text: Substring) -> String {
    text.split(separator: " ").joined(separator: " ")
  }

  private static func split(_ text: String) -> (Double, String)? {
    let number = text.prefix { $0.isNumber || $0 == "." }
    let unit = trimmed(text[number.endIndex...])
    guard let value = Double(number), value >= 0, !unit.isEmpty else { return nil }
    return (value, unit)
  }
}
