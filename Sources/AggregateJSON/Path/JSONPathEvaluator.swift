internal import AggregateCore
internal import AggregateRegex

/// Evaluates a query over the tape of one document.
struct JSONPathEvaluator {
  let root: JSONNode
  private var document: JSONDocument { root.document }
  private var tape: JSONTape { root.document.tape }

  init(root: JSONNode) { self.root = root }

  /// The places on the tape that `query` gives.
  func places(_ query: PathQuery, current: Int) -> [Int] {
    var nodes = [query.isAbsolute ? root.index : current]
    for segment in query.segments {
      var following: [Int] = []
      for node in nodes {
        if segment.isDescendant {
          // Objects and arrays below, in document order, are exactly those between here and the end
          // of the subtree; keys are never one.
          for place in node..<tape.next(node) where tape.cell(place).kind.isNested {
            for selector in segment.selectors { select(selector, of: place, into: &following) }
          }
        } else {
          for selector in segment.selectors { select(selector, of: node, into: &following) }
        }
      }
      nodes = following
      if nodes.isEmpty { break }
    }
    return nodes
  }

  private func select(_ selector: PathSelector, of place: Int, into result: inout [Int]) {
    let node = JSONNode(document: document, index: place)
    switch selector {
    case .name(let name):
      if let child = node[name] { result.append(child.index) }
    case .index(let index):
      let position = index < 0 ? index + tape.childCount(place) : index
      if let child = node[position] { result.append(child.index) }
    case .wildcard: forEachChild(of: place) { result.append($0) }
    case .slice(let start, let end, let step):
      slice(start, end, step, of: place, into: &result)
    case .filter(let filter):
      forEachChild(of: place) { child in
        if holds(filter, current: child) { result.append(child) }
      }
    }
  }

  private func forEachChild(of place: Int, _ body: (Int) -> Void) {
    let kind = tape.cell(place).kind
    guard kind.isNested else { return }
    let end = tape.next(place)
    var at = place + 1
    while at < end {
      if kind == .object { at += 1 }
      body(at)
      at = tape.next(at)
    }
  }

  private func slice(
    _ start: Int?, _ end: Int?, _ step: Int, of place: Int, into result: inout [Int]
  ) {
    guard tape.cell(place).kind == .array, step != 0 else { return }
    let count = tape.childCount(place)
    func normal(_ index: Int) -> Int { index < 0 ? index + count : index }
    if step > 0 {
      let lower = min(max(normal(start ?? 0), 0), count)
      let upper = min(max(normal(end ?? count), 0), count)
      guard lower < upper else { return }
      var at = place + 1
      for position in 0..<upper {
        if position >= lower, (position - lower) % step == 0 { result.append(at) }
        at = tape.next(at)
      }
    } else {
      let upper = min(max(start.map(normal) ?? count - 1, -1), count - 1)
      let lower = min(max(end.map(normal) ?? -1, -1), count - 1)
      guard lower < upper else { return }
      var chosen: [Int] = []
      var at = place + 1
      for position in 0...upper {
        if position > lower, (upper - position) % -step == 0 { chosen.append(at) }
        at = tape.next(at)
      }
      result.append(contentsOf: chosen.reversed())
    }
  }

  // MARK: Filters

  private func holds(_ filter: PathFilter, current: Int) -> Bool {
    switch filter {
    case .or(let parts): parts.contains { holds($0, current: current) }
    case .and(let parts): parts.allSatisfy { holds($0, current: current) }
    case .not(let inner): !holds(inner, current: current)
    case .exists(let query): !places(query, current: current).isEmpty
    case .test(let call): matches(call, current: current)
    case .compare(let left, let comparison, let right):
      Self.compare(value(left, current: current), comparison, value(right, current: current))
    }
  }

  private func value(_ operand: PathOperand, current: Int) -> PathValue {
    switch operand {
    case .literal(let value): value
    case .query(let query): places(query, current: current).first.map(value(at:)) ?? .nothing
    case .call(let call): result(call, current: current)
    }
  }

  private func value(at place: Int) -> PathValue {
    let node = JSONNode(document: document, index: place)
    switch node.kind {
    case .absent: return .nothing
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .integer, .real:
      if let exact = node.int64 { return .int(exact) }
      return .double(Double(node.rawText) ?? .nan)
    case .text, .escapedText: return node.string.map(PathValue.text) ?? .nothing
    case .object, .array: return .node(node)
    }
  }

  private func result(_ call: PathCall, current: Int) -> PathValue {
    switch call.function {
    case .length:
      switch value(call.arguments[0], current: current) {
      case .text(let text): .int(Int64(text.unicodeScalars.count))
      case .node(let node): .int(Int64(node.count))
      default: .nothing
      }
    case .count: .int(Int64(nodes(call.arguments[0], current: current).count))
    case .value:
      switch nodes(call.arguments[0], current: current) {
      case let nodes where nodes.count == 1: value(at: nodes[0])
      default: .nothing
      }
    case .match, .search: .bool(matches(call, current: current))
    }
  }

  private func nodes(_ operand: PathOperand, current: Int) -> [Int] {
    if case .query(let query) = operand { places(query, current: current) } else { [] }
  }

  private func matches(_ call: PathCall, current: Int) -> Bool {
    guard case .text(let text) = value(call.arguments[0], current: current) else { return false }
    let anchored = call.function == .match
    switch call.pattern {
    case .compiled(let regex): return regex.matches(text, anchored: anchored)
    case .invalid: return false
    case nil:
      guard case .text(let pattern) = value(call.arguments[1], current: current),
        let regex = InteroperableRegex.compiled(pattern)
      else { return false }
      return regex.matches(text, anchored: anchored)
    }
  }

  // MARK: Comparisons

  static func compare(_ a: PathValue, _ comparison: PathComparison, _ b: PathValue) -> Bool {
    switch comparison {
    case .equal: equal(a, b)
    case .notEqual: !equal(a, b)
    case .less: less(a, b)
    case .greater: less(b, a)
    case .lessOrEqual: less(a, b) || equal(a, b)
    case .greaterOrEqual: less(b, a) || equal(a, b)
    }
  }

  private static func less(_ a: PathValue, _ b: PathValue) -> Bool {
    switch (a, b) {
    case (.int(let x), .int(let y)): x < y
    case (.int(let x), .double(let y)): Double(x) < y
    case (.double(let x), .int(let y)): x < Double(y)
    case (.double(let x), .double(let y)): x < y
    // The order of UTF-8 bytes is the order of Unicode scalars.
    case (.text(let x), .text(let y)): x.utf8.lexicographicallyPrecedes(y.utf8)
    default: false
    }
  }

  private static func equal(_ a: PathValue, _ b: PathValue) -> Bool {
    switch (a, b) {
    case (.nothing, .nothing), (.null, .null): true
    case (.bool(let x), .bool(let y)): x == y
    case (.int(let x), .int(let y)): x == y
    case (.int(let x), .double(let y)): Double(x) == y
    case (.double(let x), .int(let y)): x == Double(y)
    case (.double(let x), .double(let y)): x == y
    // `==` of String takes canonically equivalent texts as equal.
    case (.text(let x), .text(let y)): x.utf8.elementsEqual(y.utf8)
    case (.node(let x), .node(let y)): equalNodes(x, y)
    default: false
    }
  }

  /// Works through a list of pairs instead of calling itself, since documents may nest deeply.
  private static func equalNodes(_ a: JSONNode, _ b: JSONNode) -> Bool {
    var pairs = [(a, b)]
    while let (a, b) = pairs.popLast() {
      if a.document === b.document, a.index == b.index { continue }
      guard a.kind.isNested || b.kind.isNested else {
        let left = JSONPathEvaluator(root: a).value(at: a.index)
        guard equal(left, JSONPathEvaluator(root: b).value(at: b.index)) else { return false }
        continue
      }
      guard a.kind == b.kind else { return false }
      if a.kind == .array {
        guard a.count == b.count else { return false }
        pairs.append(contentsOf: zip(a.elements, b.elements))
      } else {
        let left = lastMembers(a)
        let right = lastMembers(b)
        guard left.count == right.count else { return false }
        for (key, value) in left {
          guard let other = right[key] else { return false }
          pairs.append((value, other))
        }
      }
    }
    return true
  }

  /// The members by the bytes of their keys, the last of duplicates.
  private static func lastMembers(_ node: JSONNode) -> [[UInt8]: JSONNode] {
    var result: [[UInt8]: JSONNode] = [:]
    for member in node.members { result[Array((member.key.string ?? "").utf8)] = member.value }
    return result
  }
}
