import AggregateCore
import AggregateJSON

/// A place in a document whose values may be the records.
struct RecordPlace {
  /// The JSONPath, such as `$.items[*]`.
  let path: String
  /// The values there.
  let records: [JSONNode]

  /// Its steps as `$.a.b`, odd names in brackets.
  static func path(_ keys: [String], suffix: String = "") -> String {
    "$" + keys.map(step).joined() + suffix
  }

  private static func step(_ key: String) -> String {
    let isPlain =
      key.utf8.allSatisfy {
        $0 == 0x5F || ($0 | 0x20 >= 97 && $0 | 0x20 <= 122) || (48...57).contains($0)
      }
      && key.first?.isNumber == false
    if isPlain { return ".\(key)" }
    return "['" + key.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "']"
  }
}

/// Finds where the records of a document are: lists of objects, or objects of alike objects.
enum RecordFinder {
  /// Names that lists of records usually have.
  private static let usual: Set<String> = [
    "data", "items", "results", "result", "records", "rows", "entries", "features", "value",
    "values",
    "hits", "docs", "documents", "list", "content", "elements", "objects", "edges", "nodes",
  ]
  /// Names of what stands beside the records rather than in one.
  private static let besides: Set<String> = [
    "count", "total", "page", "pages", "next", "previous", "prev", "limit", "offset", "size",
    "status",
    "ok", "success", "error", "message", "more", "per", "number", "first", "last", "results",
    "code",
    "version", "query", "cursor", "token", "took", "time", "has", "start", "end", "type", "kind",
  ]

  private struct Candidate {
    let place: RecordPlace
    let score: Double
    let isUsual: Bool
  }

  /// The places, the likeliest first; empty when the document itself is the record.
  static func places(in root: JSONNode) -> [RecordPlace] {
    var found: [Candidate] = []
    walk(root, [], &found)
    found.sort { $0.score > $1.score }
    guard let best = found.first else { return [] }
    if root.kind == .object, !best.isUsual, isRecord(root) { return [] }
    return found.map(\.place)
  }

  private static func walk(_ node: JSONNode, _ keys: [String], _ found: inout [Candidate]) {
    guard keys.count < 6 else { return }
    switch node.kind {
    case .array:
      let objects = node.elements.filter { $0.kind == .object }
      let isEmptyList = node.count == 0 && (keys.isEmpty || isUsual(keys))
      guard isEmptyList || keys.isEmpty || objects.count * 2 > node.count else { return }
      add(Array(node.elements), objects, keys, "[*]", &found)
    case .object:
      let values = node.members.map(\.value)
      if values.count >= 3, values.allSatisfy({ $0.kind == .object }), areAlike(values) {
        add(values, values, keys, ".*", &found)
        return
      }
      for (key, value) in node.members { walk(value, keys + [key.string ?? ""], &found) }
    default: break
    }
  }

  private static func add(
    _ records: [JSONNode], _ objects: [JSONNode], _ keys: [String], _ suffix: String,
    _ found: inout [Candidate]
  ) {
    let fields = objects.prefix(10).map(\.count).max() ?? 1
    let bonus = isUsual(keys) ? 3.0 : 1
    let score =
      bonus * Double(max(1, records.count) * min(fields, 20)) / Double(1 + keys.count)
      + (keys.isEmpty ? 1_000_000 : 0)
    let place = RecordPlace(path: RecordPlace.path(keys, suffix: suffix), records: records)
    found.append(Candidate(place: place, score: score, isUsual: keys.isEmpty || bonus > 1))
  }

  private static func isUsual(_ keys: [String]) -> Bool {
    keys.last.map { usual.contains($0.lowercased()) } ?? true
  }

  /// Whether objects have most of their keys in common.
  private static func areAlike(_ objects: [JSONNode]) -> Bool {
    guard let first = objects.first, first.count > 0 else { return false }
    let keys = Set(first.members.map { $0.key.string ?? "" })
    return objects.prefix(20).allSatisfy { object in
      let shared = object.members.filter { keys.contains($0.key.string ?? "") }.count
      return shared * 2 > max(keys.count, object.count)
    }
  }

  /// Whether an object looks like one record rather than like an envelope around several.
  private static func isRecord(_ object: JSONNode) -> Bool {
    if object["id"] != nil || object["_id"] != nil { return true }
    let scalars = object.members.filter { !$0.value.kind.isNested }
    let own = scalars.filter { member in
      let words = FieldName.words(member.key.string ?? "")
      return !words.contains { besides.contains($0) }
    }
    return own.count >= 8
  }
}

/// Names of fields, taken apart.
package enum FieldName {
  /// The words of a name in lower case: `nextPageToken`, `next_page_token` → next, page, token.
  package static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    for character in name {
      let isBreak = !character.isLetter && !character.isNumber
      if isBreak || (character.isUppercase && wasLower) {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if !isBreak { word.append(character) }
      wasLower = character.isLowercase
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }
}
