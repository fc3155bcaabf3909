internal import AggregateCore

/// The rows of the other side by key, in which rows of the input are looked up.
final class JoinTable {
  private let plan: JoinPlan
  private let table = KeyTable()
  private let store: RowStore
  private var locators: [RowStore.Locator] = []
  /// For each row of the other, the number of its key; -1 when a part of it is null.
  private var groups: [Int32] = []
  private var times: [[UInt8]] = []
  /// The rows of the other, ordered by key; those of key `k` are `starts[k]..<starts[k + 1]`.
  private var ordered: [Int32] = []
  private var starts: [Int] = []
  private var isMatched: [Bool] = []
  private var missing: RowStore.Locator = 0
  /// Takes output rows and, for each, the number of the row that it is of.
  typealias Emit = (Batch, _ rows: [Int32]) throws -> Demand

  init(_ plan: JoinPlan) {
    self.plan = plan
    store = RowStore(columnCount: plan.keptSchema.columns.count)
  }

  /// How many bytes the rows take, with what finding them takes.
  var byteCount: Int { store.byteCount + table.byteCount + 48 * locators.count }

  /// The rows of the other side with what is kept of them: carried columns, keys, and the time.
  static func kept(of batch: Batch, _ plan: JoinPlan) throws -> Batch {
    let references = plan.rightKeys + (plan.rightTime.map { [$0] } ?? [])
    return Batch(
      schema: plan.keptSchema,
      columns: plan.carried.map { batch.columns[$0] } + (try batch.values(of: references)),
      rowCount: batch.rowCount)
  }

  /// The keys of rows as ``kept(of:_:)`` gives them.
  static func keys(ofKept batch: Batch, _ plan: JoinPlan) -> EncodedKeys {
    let first = plan.carried.count
    return KeyEncoder(ascending: plan.rightKeys.count).encode(
      Array(batch.columns[first..<first + plan.rightKeys.count]), rowCount: batch.rowCount)
  }

  /// Adds rows of the other side.
  func keep(_ batch: Batch, _ keys: EncodedKeys) {
    let numbers = table.assign(keys).groups
    for row in 0..<batch.rowCount { groups.append(keys.hasNull(row) ? -1 : numbers[row]) }
    if plan.rightTime != nil, let last = batch.columns.last {
      let time = KeyEncoder(ascending: 1).encode([last], rowCount: batch.rowCount)
      for row in 0..<batch.rowCount {
        times.append(time.withKey(row) { Array($0) })
        if time.hasNull(row) { groups[groups.count - batch.rowCount + row] = -1 }
      }
    }
    locators += store.append(batch)
  }

  /// Calls `body` with the rows that were kept, in order.
  func forEachKept(_ body: (Batch) throws -> Void) throws {
    _ = try store.emit(locators, schema: plan.keptSchema) { batch in
      try body(batch)
      return .more
    }
  }

  /// Emits what becomes of each row of `batch`, with the row that each output row is of.
  func lookUp(_ batch: Batch, _ keys: EncodedKeys, _ emit: Emit) throws -> Demand {
    let found = table.find(keys)
    switch plan.kind {
    case .semi, .anti:
      let wanted = plan.kind == .semi
      let rows = (0..<batch.rowCount).filter {
        (found[$0] >= 0 && !keys.hasNull($0)) == wanted
      }.map { Int32($0) }
      return rows.isEmpty ? .more : try emit(batch.gathered(rows), rows)
    case .asof: return try lookUpNearest(batch, keys, found, emit)
    default: return try lookUp(batch, keys, found, emit)
    }
  }

  /// Emits the rows of the other side that had no partner, with the row of it that each is.
  func emitUnmatched(_ emit: Emit) throws -> Demand {
    guard plan.kind.keepsUnmatchedRight else { return .more }
    let rest = locators.indices.filter { !isMatched[$0] }
    for start in stride(from: 0, to: rest.count, by: Batch.defaultRowCount) {
      let part = rest[start..<min(start + Batch.defaultRowCount, rest.count)]
      let kept = store.batch(part.map { locators[$0] }[...], schema: plan.keptSchema)
      var columns: [Column] = plan.left.columns.map { _ in .nulls(part.count) }
      for (index, key) in plan.leftKeys.enumerated() where key.subpath.isEmpty {
        columns[key.index] = kept.columns[plan.carried.count + index]
      }
      if try emit(output(columns, kept), part.map { Int32($0) }) == .enough { return .enough }
    }
    return .more
  }

  /// Told that all rows of the other side are there.
  func order() {
    let nothing = Batch(
      schema: plan.keptSchema, columns: plan.keptSchema.columns.map { _ in .nulls(1) }, rowCount: 1)
    missing = store.append(nothing).first ?? 0
    isMatched = Array(repeating: false, count: locators.count)
    starts = Array(repeating: 0, count: table.count + 1)
    for group in groups where group >= 0 { starts[Int(group) + 1] += 1 }
    for group in 0..<table.count { starts[group + 1] += starts[group] }
    ordered = Array(repeating: 0, count: starts.last ?? 0)
    var next = starts
    for (row, group) in groups.enumerated() where group >= 0 {
      ordered[next[Int(group)]] = Int32(row)
      next[Int(group)] += 1
    }
    if plan.rightTime == nil { return }
    for group in 0..<table.count {
      let range = starts[group]..<starts[group + 1]
      let byTime = ordered[range].sorted { a, b in
        let order = compare(times[Int(a)], times[Int(b)])
        return order == 0 ? a < b : order < 0
      }
      ordered.replaceSubrange(range, with: byTime)
    }
  }

  private func lookUp(
    _ batch: Batch, _ keys: EncodedKeys, _ found: [Int32], _ emit: Emit
  ) throws -> Demand {
    var rows: [Int32] = []
    var partners: [RowStore.Locator] = []
    for row in 0..<batch.rowCount {
      let group = keys.hasNull(row) ? -1 : Int(found[row])
      if group < 0 || starts[group] == starts[group + 1] {
        if plan.kind.keepsUnmatchedLeft {
          rows.append(Int32(row))
          partners.append(missing)
        }
      } else {
        for place in starts[group]..<starts[group + 1] {
          let partner = Int(ordered[place])
          isMatched[partner] = true
          rows.append(Int32(row))
          partners.append(locators[partner])
          if rows.count == Batch.defaultRowCount {
            if try emit(paired(batch, rows, partners), rows) == .enough { return .enough }
            rows.removeAll(keepingCapacity: true)
            partners.removeAll(keepingCapacity: true)
          }
        }
      }
    }
    return rows.isEmpty ? .more : try emit(paired(batch, rows, partners), rows)
  }

  private func lookUpNearest(
    _ batch: Batch, _ keys: EncodedKeys, _ found: [Int32], _ emit: Emit
  ) throws -> Demand {
    guard let reference = plan.leftTime else { return .more }
    let time = KeyEncoder(ascending: 1).encode(
      [try batch.values(of: reference)], rowCount: batch.rowCount)
    var partners: [RowStore.Locator] = []
    for row in 0..<batch.rowCount {
      let group = keys.hasNull(row) || time.hasNull(row) ? -1 : Int(found[row])
      partners.append(
        group < 0
          ? missing
          : nearest(group, time.withKey(row) { Array($0) }).map { locators[$0] } ?? missing)
    }
    let rows = (0..<batch.rowCount).map { Int32($0) }
    return try emit(paired(batch, rows, partners), rows)
  }

  /// The last row of `group` whose time is not behind `time`.
  private func nearest(_ group: Int, _ time: [UInt8]) -> Int? {
    var low = starts[group]
    var high = starts[group + 1]
    while low < high {
      let middle = (low + high) / 2
      if compare(times[Int(ordered[middle])], time) <= 0 { low = middle + 1 } else { high = middle }
    }
    return low > starts[group] ? Int(ordered[low - 1]) : nil
  }

  private func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.withUnsafeBytes { a in b.withUnsafeBytes { KeyOrder.compare(a, $0) } }
  }

  private func paired(_ batch: Batch, _ rows: [Int32], _ partners: [RowStore.Locator]) -> Batch {
    output(
      batch.gathered(rows).columns, store.batch(partners[...], schema: plan.keptSchema))
  }

  private func output(_ left: [Column], _ kept: Batch) -> Batch {
    let carried = Array(kept.columns.prefix(plan.carried.count))
    let own = plan.left.isOpen ? left.count - 1 : left.count
    if plan.carriesOverflow, let mine = left[own...].first, let theirs = carried.last {
      return Batch(
        schema: plan.output,
        columns: Array(left[..<own]) + carried.dropLast() + [
          OverflowMerging.merged(mine, theirs)
        ], rowCount: kept.rowCount)
    }
    return Batch(
      schema: plan.output, columns: Array(left[..<own]) + carried + Array(left[own...]),
      rowCount: kept.rowCount)
  }
}
