/// "Did you mean": the valid names nearest to a misspelt one.
public enum Suggestions {
  /// At most three of `candidates`, nearest first, that are near enough to be meant by `name`.
  public static func nearest(to name: String, in candidates: [String]) -> [String] {
    let wanted = Array(name.lowercased().unicodeScalars)
    let limit = max(1, wanted.count / 3 + (wanted.count > 4 ? 1 : 0))
    return
      candidates
      .map { (name: $0, distance: distance(wanted, Array($0.lowercased().unicodeScalars))) }
      .filter { $0.distance <= limit }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(3).map(\.name)
  }

  /// A hint: the nearest candidate, or else all of them.
  public static func hint(for name: String, in candidates: [String]) -> String {
    if candidates.isEmpty { return "there are none" }
    if let near = nearest(to: name, in: candidates).first { return "did you mean “\(near)”?" }
    return "valid: \(candidates.joined(separator: ", "))"
  }

  /// Edits (insert, delete, replace, swap of neighbours) that turn one text into the other.
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var before: [Int] = []
    var previous = Array(0...b.count)
    for i in 1...a.count {
      var current = [i]
      for j in 1...b.count {
        var best = min(
          previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          best = min(best, before[j - 2] + 1)
        }
        current.append(best)
      }
      before = previous
      previous = current
    }
    return previous[b.count]
  }
}
