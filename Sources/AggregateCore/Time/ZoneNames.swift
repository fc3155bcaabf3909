/// Names of time zones as mail and feeds have them.
enum ZoneNames {
  /// Seconds east of UTC; nil for what is not known as a zone.
  static func offset(of name: String) -> Int? { table[name.lowercased()].map { $0 * 60 } }

  /// Seconds east of UTC for the names that mean one thing only: those of RFC 822, UTC, and Europe's.
  static func certainOffset(of name: String) -> Int? {
    let name = name.lowercased()
    return certain.contains(name) ? offset(of: name) : nil
  }

  private static let certain: Set = [
    "gmt", "ut", "utc", "z", "est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt", "cet", "cest",
    "bst",
  ]

  /// Minutes east of UTC.
  private static let table: [String: Int] = [
    "utc": 0, "gmt": 0, "ut": 0, "z": 0, "etc/gmt": 0, "etc/utc": 0, "wet": 0, "west": 60,
    "bst": 60, "met": 60, "mez": 60, "cet": 60, "mest": 120, "mesz": 120, "cest": 120, "eet": 120,
    "eest": 180, "sast": 120, "msk": 180, "msd": 240, "gst": 240, "ist": 330, "pkt": 300,
    "sgt": 480, "hkt": 480, "awst": 480, "jst": 540, "kst": 540, "acst": 570, "aest": 600,
    "aedt": 660, "nzst": 720, "nzdt": 780, "nst": -210, "ndt": -150, "art": -180, "brt": -180,
    "at": -240, "ast": -240, "adt": -180, "et": -300, "est": -300, "edt": -240, "ct": -360,
    "cst": -360, "cdt": -300, "mt": -420, "mst": -420, "mdt": -360, "pt": -480, "pst": -480,
    "pdt": -420, "akst": -540, "akdt": -480, "hst": -600,
  ]
}
