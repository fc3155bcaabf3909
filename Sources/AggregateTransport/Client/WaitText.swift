/// Spans of time as people read them.
enum WaitText {
  /// `45 ms`, `1.5 s`, `37 s`, `5 min`, `23 h`, rounded up from minutes on.
  static func of(_ seconds: Double) -> String {
    switch seconds {
    case ..<1: "\(Int((seconds * 1000).rounded())) ms"
    case ..<10:
      (seconds * 10).rounded().truncatingRemainder(dividingBy: 10) == 0
        ? "\(Int(seconds.rounded())) s" : "\((seconds * 10).rounded() / 10) s"
    case ..<120: "\(Int(seconds.rounded())) s"
    case ..<7200: "\(Int((seconds / 60).rounded(.up))) min"
    case ..<172_800: "\(Int((seconds / 3600).rounded(.up))) h"
    default: "\(Int((min(seconds, 1e12) / 86_400).rounded(.up))) days"
    }
  }
}

extension Duration {
  /// In seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  /// In milliseconds, rounded up, at least 1.
  var milliseconds: Int { max(1, Int(min((seconds * 1000).rounded(.up), 2_000_000_000))) }
}

extension StringProtocol {
  /// Without white space at both ends.
  var trimmed: String {
    let isSpace: (Character) -> Bool = { $0.isWhitespace }
    let head = drop(while: isSpace)
    guard let end = head.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(head[...end])
  }
}
