import AggregateCore

/// How a plan writes quantities and columns for people.
enum PlanText {
  /// How many items of a list are shown.
  static let shown = 20

  /// `1 row`, `2 rows`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// `500 ms`, `90 s`, `15 min`, `1 h`, `2 days`.
  static func duration(_ duration: Duration) -> String {
    let parts = duration.components
    let milliseconds = parts.attoseconds / 1_000_000_000_000_000
    guard milliseconds == 0 else {
      return parts.seconds == 0
        ? "\(milliseconds) ms"
        : NumberText.shortest(Double(parts.seconds) + Double(milliseconds) / 1000) + " s"
    }
    let seconds = parts.seconds
    switch seconds {
    case 0: return "0 s"
    case _ where seconds % 86_400 == 0: return count(Int(seconds / 86_400), "day")
    case _ where seconds % 3600 == 0: return "\(seconds / 3600) h"
    case _ where seconds % 60 == 0: return "\(seconds / 60) min"
    default: return "\(seconds) s"
    }
  }

  /// `name type (unit)` of each column.
  static func columns(_ schema: Schema?) -> String {
    guard let schema else { return "known only from the data" }
    return schema.columns.map { column in
      "\(column.name) \(column.type.rawValue)" + (column.unit.map { " (\($0))" } ?? "")
    }.joined(separator: ", ")
  }

  /// An address without the user and the password in it.
  static func withoutUser(_ address: String) -> String {
    guard let information = WebURL.userInformation(of: address),
      let place = address.firstRange(of: "\(information)@")
    else { return address }
    return address.replacingCharacters(in: place)
  }
}

extension String {
  /// The text without a part of it.
  fileprivate func replacingCharacters(in range: Range<String.Index>) -> String {
    String(self[..<range.lowerBound]) + String(self[range.upperBound...])
  }
}
