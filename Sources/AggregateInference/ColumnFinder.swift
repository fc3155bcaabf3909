import AggregateCore
import AggregateJSON

/// A column that records have.
struct InferredColumn {
  /// Its name.
  let name: String
  /// Where its values are, relative to the record.
  let path: String
  /// What was seen of them.
  let evidence: ValueEvidence
}

/// Finds the columns of records: their fields, those of nested objects too.
struct ColumnFinder {
  /// How many records are looked at.
  static let sample = 1000
  /// With more columns than this, none are listed.
  static let most = 80
  private static let deepest = 4
  private static let widest = 30

  private var order: [[String]] = []
  private var found: [[String]: ValueEvidence] = [:]
  /// Objects with so many different keys that the keys are data.
  private var maps: Set<[String]> = []

  /// The columns of `records`; nil when there are too many to list.
  static func columns(of records: [JSONNode]) -> [InferredColumn]? {
    let sample = records.prefix(Self.sample)
    var finder = ColumnFinder()
    while true {
      for record in sample { finder.note(record, []) }
      let wide = finder.wideObjects()
      if wide.isEmpty { break }
      let maps = finder.maps.union(wide)
      finder = ColumnFinder()
      finder.maps = maps
    }
    if finder.order.count > most { return nil }
    return finder.columns()
  }

  private mutating func note(_ node: JSONNode, _ path: [String]) {
    let isObject = node.kind == .object
    guard isObject, path.count < Self.deepest, !maps.contains(path), node.count > 0 || path.isEmpty
    else {
      if isObject && path.isEmpty { return }
      if found[path] == nil { order.append(path) }
      found[path, default: ValueEvidence()].note(node.kind, node.string ?? node.rawText)
      return
    }
    for (key, value) in node.members { note(value, path + [key.string ?? ""]) }
  }

  /// Nested objects whose keys are too many.
  private func wideObjects() -> Set<[String]> {
    var children: [[String]: Int] = [:]
    for path in order where path.count > 1 { children[Array(path.dropLast()), default: 0] += 1 }
    return Set(children.filter { $0.value > Self.widest }.keys)
  }

  private func columns() -> [InferredColumn] {
    var names: Set<String> = []
    // Where an object was null at times, its fields say all there is to say.
    let paths = order.filter { path in
      let isOnlyNull = found[path].map { $0.nulls == $0.seen } ?? true
      return !isOnlyNull || !order.contains { $0.count > path.count && $0.starts(with: path) }
    }
    return paths.compactMap { path in
      guard let evidence = found[path] else { return nil }
      var name = path.isEmpty ? "value" : path.joined(separator: "_")
      if !names.insert(name).inserted {
        name = path.joined(separator: ".")
        if !names.insert(name).inserted { return nil }
      }
      return InferredColumn(name: name, path: RecordPlace.path(path), evidence: evidence)
    }
  }
}
