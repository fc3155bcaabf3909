internal import AggregateCore

/// Keeps the rows of the other side by key, then looks up each row of the input.
final class JoinTransform: StreamTransform {
  private let plan: JoinPlan
  private let encoder: KeyEncoder
  private let table = KeyTable()
  /// The carried columns of the other, then its key columns.
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
  private let keptSchema: Schema

  init(_ plan: JoinPlan) {
    self.plan = plan
    encoder = KeyEncoder(ascending: plan.leftKeys.count)
    keptSchema = Schema(
      (0..<plan.carried.count + plan.rightKeys.count).map { ColumnSpec("\($0)") })
    store = RowStore(columnCount: keptSchema.columns.count)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    if input == 1 {
      try keep(batch)
      return .more
    }
    let keys = encoder.encode(try batch.values(of: plan.leftKeys), rowCount: batch.rowCount)
    let found = table.find(keys)
    switch plan.kind {
    case .semi, .anti:
      let wanted = plan.kind == .semi
      let rows = (0..<batch.rowCount).filter {
        (found[$0] >= 0 && !keys.hasNull($0)) == wanted
      }
      return rows.isEmpty ? .more : try emit(batch.gathered(rows.map { Int32($0) }))
    case .asof: return try lookUpNearest(batch, keys, found, emit)
    default: return try lookUp(batch, keys, found, emit)
    }
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    if input == 1 { return try order() }
    guard plan.kind.keepsUnmatchedRight else { return }
    let rest = locators.indices.filter { !isMatched[$0] }.map { locators[$0] }
    for start in stride(from: 0, to: rest.count, by: Batch.defaultRowCount) {
      let part = rest[start..<min(start + Batch.defaultRowCount, rest.count)]
      let kept = store.batch(part, schema: keptSchema)
      var columns: [Column] = plan.left.columns.map { _ in .nulls(part.count) }
      for (index, key) in plan.leftKeys.enumerated() where key.subpath.isEmpty {
        columns[key.index] = kept.columns[plan.carried.count + index]
      }
      if try emit(output(columns, kept)) == .enough { return }
    }
  }

  private func keep(_ batch: Batch) throws {
    let keyColumns = try batch.values(of: plan.rightKeys)
    let keys = encoder.encode(keyColumns, rowCount: batch.rowCount)
    let numbers = table.assign(keys).groups
    for row in 0..<batch.rowCount { groups.append(keys.hasNull(row) ? -1 : numbers[row]) }
    if let reference = plan.rightTime {
      let time = KeyEncoder(ascending: 1).encode(
        [try batch.values(of: reference)], rowCount: batch.rowCount)
      for row in 0..<batch.rowCount {
        times.append(time.withKey(row) { Array($0) })
        if time.hasNull(row) { groups[groups.count - batch.rowCount + row] = -1 }
      }
    }
    let kept = Batch(
      schema: keptSchema, columns: plan.carried.map { batch.columns[$0] } + keyColumns,
      rowCount: batch.rowCount)
    locators += store.append(kept)
  }

  private func order() throws {
    let nothing = Batch(
      schema: keptSchema, columns: keptSchema.columns.map { _ in .nulls(1) }, rowCount: 1)
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
    _ batch: Batch, _ keys: EncodedKeys, _ found: [Int32], _ emit: (Batch) throws -> Demand
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
            if try emit(paired(batch, rows, partners)) == .enough { return .enough }
            rows.removeAll(keepingCapacity: true)
            partners.removeAll(keepingCapacity: true)
          }
        }
      }
    }
    return rows.isEmpty ? .more : try emit(paired(batch, rows, partners))
  }

  private func lookUpNearest(
    _ batch: Batch, _ keys: EncodedKeys, _ found: [Int32], _ emit: (Batch) throws -> Demand
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
    return try emit(paired(batch, (0..<batch.rowCount).map { Int32($0) }, partners))
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
      batch.gathered(rows).columns, store.batch(partners[...], schema: keptSchema))
  }

  private func output(_ left: [Column], _ kept: Batch) -> Batch {
    let carried = Array(kept.columns.prefix(plan.carried.count))
    let own = plan.left.isOpen ? left.count - 1 : left.count
    return Batch(
      schema: plan.output, columns: Array(left[..<own]) + carried + Array(left[own...]),
      rowCount: kept.rowCount)
  }
}
