internal import AggregateCore
internal import AggregateExpressions

/// Keeps all rows, on disk by group past the limit of memory, and computes at the end.
final class WindowTransform: StreamTransform {
  private let plan: WindowPlan
  private let memory: MemoryShare
  private var rows: WindowRows
  private var parts: RowPartitions?
  private var seen: Int64 = 0

  init(_ plan: WindowPlan) {
    self.plan = plan
    memory = plan.context.memory.share()
    rows = WindowRows(plan)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    if let parts {
      try parts.append(batch, numbers: batch.numbers(from: seen), keys: plan.groupKeys(batch))
      seen += Int64(batch.rowCount)
      return .more
    }
    try rows.append(batch)
    // Without groups there is nothing by which to part the rows.
    if rows.byteCount > memory.limit, !plan.by.isEmpty {
      let parts = try RowPartitions(plan.input, plan.context)
      try rows.forEach { batch in
        try parts.append(batch, numbers: batch.numbers(from: seen), keys: plan.groupKeys(batch))
        seen += Int64(batch.rowCount)
      }
      rows = WindowRows(plan)
      self.parts = parts
    }
    return .more
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    guard let parts else {
      _ = try rows.emit(emit)
      return
    }
    let output = NumberedRows(plan.output, plan.context)
    for part in 0..<RowPartitions.count {
      let rows = WindowRows(plan)
      var numbers: [Int64] = []
      try parts.forEach(part) {
        try rows.append($0)
        numbers += $1
      }
      var rest = numbers[...]
      _ = try rows.emit { batch in
        try output.append(batch, numbers: Array(rest.prefix(batch.rowCount)))
        rest = rest.dropFirst(batch.rowCount)
        return .more
      }
    }
    _ = try output.emit(emit)
  }
}

extension WindowPlan {
  /// The keys of the groups that the rows of `batch` belong to.
  func groupKeys(_ batch: Batch) throws -> EncodedKeys {
    KeyEncoder(ascending: by.count).encode(try batch.values(of: by), rowCount: batch.rowCount)
  }
}

/// Rows in memory, ordered by group and keys when they are all there.
private final class WindowRows {
  private let plan: WindowPlan
  private let table = KeyTable()
  private let store: RowStore
  private var locators: [RowStore.Locator] = []
  private var groups: [Int32] = []
  private var order = SortedOrder()

  init(_ plan: WindowPlan) {
    self.plan = plan
    store = RowStore(columnCount: plan.input.columns.count)
  }

  /// What the rows take, with what computing takes.
  var byteCount: Int {
    store.byteCount + table.byteCount + order.byteCount
      + (16 + 80 * plan.columns.count) * locators.count
  }

  func append(_ batch: Batch) throws {
    locators += store.append(batch)
    groups += table.assign(try plan.groupKeys(batch)).groups
    order.append(
      KeyEncoder(descending: plan.descending).encode(
        try batch.values(of: plan.sort), rowCount: batch.rowCount))
  }

  /// Calls `body` with the rows in the order in which they came.
  func forEach(_ body: (Batch) throws -> Void) throws {
    _ = try store.emit(locators, schema: plan.input) { batch in
      try body(batch)
      return .more
    }
  }

  /// The values of the functions' arguments, row by row; none for a function without.
  private func arguments() throws -> [[Value]] {
    var arguments: [[Value]] = plan.columns.map { _ in [] }
    if plan.arguments.allSatisfy({ $0 == nil }) { return arguments }
    try forEach { batch in
      for (index, argument) in plan.arguments.enumerated() {
        guard let argument else { continue }
        let values = try argument.evaluate(
          batch, into: plan.columns[index].name, log: plan.context.log)
        for row in 0..<batch.rowCount { arguments[index].append(values.value(at: row)) }
      }
    }
    return arguments
  }

  /// Computes, and emits the rows in the order in which they came.
  func emit(_ emit: (Batch) throws -> Demand) throws -> Demand {
    let arguments = try arguments()
    var members: [[Int]] = Array(repeating: [], count: table.count)
    for row in order.sorted() { members[Int(groups[row])].append(row) }
    var results = plan.columns.map { _ in Array(repeating: Value.null, count: locators.count) }
    for rows in members {
      for index in plan.columns.indices {
        try compute(plan.columns[index], arguments[index], rows, &results[index])
      }
    }
    for start in stride(from: 0, to: locators.count, by: Batch.defaultRowCount) {
      let range = start..<min(start + Batch.defaultRowCount, locators.count)
      var columns = store.batch(locators[range], schema: plan.input).columns
      var schema = plan.input
      for (index, place) in plan.places.enumerated() {
        var cells = CellBuilder()
        for row in range { cells.append(results[index][row]) }
        let isNew = schema.index(of: plan.columns[index].name) == nil
        var specs = schema.columns
        let spec = ColumnSpec(plan.columns[index].name)
        if isNew {
          columns.insert(cells.finish(), at: place)
          specs.insert(spec, at: place)
        } else {
          columns[place] = cells.finish()
          specs[place] = spec
        }
        schema = try schema.replacing(specs, at: nil)
      }
      let batch = Batch(schema: plan.output, columns: columns, rowCount: range.count)
      if try emit(batch) == .enough { return .enough }
    }
    return .more
  }

  /// Computes `column` for the rows of one group, in order.
  private func compute(
    _ column: WindowColumn, _ values: [Value], _ rows: [Int], _ results: inout [Value]
  ) throws {
    switch column.function {
    case .lag, .lead:
      let step = column.function == .lag ? -column.distance : column.distance
      for place in rows.indices where rows.indices.contains(place + step) {
        results[rows[place]] = values[rows[place + step]]
      }
    case .rowNumber:
      for place in rows.indices { results[rows[place]] = .int(Int64(place + 1)) }
    case .rank, .denseRank: rank(rows, isDense: column.function == .denseRank, &results)
    case .first, .last, .count, .sum, .mean, .avg, .min, .max:
      try accumulate(column, values, rows, &results)
    }
  }

  private func rank(_ rows: [Int], isDense: Bool, _ results: inout [Value]) {
    var rank: Int64 = 0
    for place in rows.indices {
      let isPeer =
        place > 0
        && order.withKey(rows[place - 1]) { a in
          order.withKey(rows[place]) { KeyOrder.compare(a, $0) == 0 }
        }
      if !isPeer { rank = isDense ? rank + 1 : Int64(place + 1) }
      results[rows[place]] = .int(rank)
    }
  }

  private func accumulate(
    _ column: WindowColumn, _ values: [Value], _ rows: [Int], _ results: inout [Value]
  ) throws {
    var running = RunningAggregate(column.function)
    for place in rows.indices {
      func argument(_ row: Int) -> Value { values.isEmpty ? .bool(true) : values[row] }
      if let frame = plan.frame {
        // Computed anew for each row: sums of real numbers do not drift.
        running = RunningAggregate(column.function)
        for other in rows[max(0, place - frame + 1)...place] { running.add(argument(other)) }
      } else {
        running.add(argument(rows[place]))
      }
      results[rows[place]] = running.result
    }
    if let example = running.lost {
      try plan.context.log.lost(
        column: column.name, kind: "do not read as number", count: 1, example: example)
    }
  }
}

/// An aggregate over the values so far; nulls are left out.
struct RunningAggregate {
  private let function: WindowFunction
  private var count: Int64 = 0
  private var whole: Int64 = 0
  private var real = 0.0
  private var isWhole = true
  private var best: (key: [UInt8], value: Value)?
  /// Text that is no number and was left out of a sum.
  private(set) var lost: String?

  init(_ function: WindowFunction) { self.function = function }

  mutating func add(_ value: Value) {
    if value.isNull { return }
    switch function {
    case .sum, .mean, .avg: addNumber(value)
    case .min, .max: compare(value)
    case .first:
      if count == 0 { best = ([], value) }
      count += 1
    case .last:
      best = ([], value)
      count += 1
    default: count += 1
    }
  }

  private mutating func addNumber(_ value: Value) {
    let text = value.displayText
    if case .int(let number) = value {
      add(number)
    } else if let number = Int64(text), NumberText.kind(text) == .integer {
      add(number)
    } else if case .double(let number) = value {
      addReal(number)
    } else if let number = Double(text), NumberText.kind(text) != nil {
      addReal(number)
    } else {
      lost = text
    }
  }

  private mutating func add(_ number: Int64) {
    let (sum, overflow) = whole.addingReportingOverflow(number)
    if overflow || !isWhole { return addReal(Double(number)) }
    whole = sum
    real += Double(number)
    count += 1
  }

  private mutating func addReal(_ number: Double) {
    isWhole = false
    real += number
    count += 1
  }

  private mutating func compare(_ value: Value) {
    var cells = CellBuilder()
    cells.append(value)
    let key = KeyEncoder(ascending: 1).encode([cells.finish()], rowCount: 1)
      .withKey(0) { Array($0) }
    if let best {
      let order = key.withUnsafeBytes { a in best.key.withUnsafeBytes { KeyOrder.compare(a, $0) } }
      if function == .min ? order >= 0 : order <= 0 { return }
    }
    best = (key, value)
  }

  var result: Value {
    switch function {
    case .count: .int(count)
    case .sum: count == 0 ? .null : isWhole ? .int(whole) : .double(real)
    case .mean, .avg: count == 0 ? .null : .double(real / Double(count))
    default: best?.value ?? .null
    }
  }
}
