/// Sizes as people read them.
enum ByteCount {
  /// `512 B`, `12.3 kB`, `50 MB`; powers of 1000.
  static func text(_ bytes: Int) -> String {
    var value = Double(bytes)
    var unit = "B"
    for larger in ["kB", "MB", "GB", "TB"] where value >= 1000 {
      value /= 1000
      unit = larger
    }
    let tenths = Int((value * 10).rounded())
    let isWhole = tenths % 10 == 0 || unit == "B"
    return isWhole ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}
