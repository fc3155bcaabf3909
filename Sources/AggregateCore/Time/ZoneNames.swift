/// Names of time zones as they are found in feeds.
enum TimeZoneNames {
  /// Minutes east of UTC; nil for what is not known as a zone.
  static func offset(of name: String) -> Int? {
    table[name.lowercased()]
  }

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
