import AggregateConfig
import AggregateCore
import AggregateState
import Synchronization

/// The cursors of one incremental source during a run.
///
/// What the run reads is noted here and saved only when all of it is where it should go: after the
/// output was committed, for the partitions that were read to their end. The lower bound of a run is
/// inclusive, so the keys of the rows from it on are remembered, and such rows are given once.
final class IncrementalTracker: Cursors {
  private struct Partition {
    /// Where this run begins; nil without a cursor and without a start.
    var since: IncrementalValue?
    /// The cursor of the run before.
    var before: IncrementalValue?
    /// The largest value so far.
    var cursor: IncrementalValue?
    /// Keys of rows that were given, with the values of their cursors: those that may come again.
    var keys: [String: IncrementalValue] = [:]
    /// Where those keys begin.
    var bound: IncrementalValue?
    /// How many keys there may be before those that can't come again are forgotten.
    var room = 10_000
    /// The keys of the runs before.
    var earlier: [String: IncrementalValue] = [:]
    /// The end of the time that is asked for step by step.
    var end = Instant.now
    var isFinished = false
    var isLeft = false
  }

  private let options: SourceOptions.Incremental
  private let scope: StateScope
  private let database: StateDatabase?
  private let log: RunLog
  private let state = Mutex<[String: Partition]>([:])
  private let isLeft = Atomic(false)

  /// - Parameter database: Where cursors are kept; nil to begin at the start and to keep nothing.
  init(
    _ options: SourceOptions.Incremental, scope: StateScope, database: StateDatabase?, log: RunLog
  ) {
    self.options = options
    self.scope = scope
    self.database = database
    self.log = log
  }

  func window(
    after window: Window?, of partition: String
  ) throws -> Window? {
    let part = try self.partition(partition)
    let number = window.map { $0.index + 1 } ?? 0
    guard let step = options.step, step > .zero, case .instant(let first)? = part.since else {
      return number > 0 ? nil : made(0, from: part.since, to: nil)
    }
    let start = first.advanced(by: step * number)
    if number > 0, start <= first || start > part.end { return nil }
    return made(number, from: .instant(start), to: .instant(start.advanced(by: step)))
  }

  private func made(
    _ index: Int, from since: IncrementalValue?, to until: IncrementalValue?
  ) -> Window {
    let from = since?.written(options.format)
    let to = until?.written(options.format)
    var query: [HTTPField] = []
    if let name = options.query, let from { query.append(HTTPField(name, from)) }
    if let name = options.untilQuery, let to { query.append(HTTPField(name, to)) }
    return Window(index: index, since: from, until: to, query: query)
  }

  /// The rows of `batch` that were not given before; called with the batches of the source in order.
  ///
  /// - Parameter dropsOlder: Whether rows before the beginning of the run are left out, for a source
  ///   that can't be asked for the new ones only.
  func admit(_ batch: Batch, of partition: String, dropsOlder: Bool) throws -> Batch {
    guard batch.rowCount > 0 else { return batch }
    let cursorColumn = try column(options.cursor, in: batch.schema)
    let keyColumns =
      options.key.isEmpty
      ? Array(batch.columns.indices) : try options.key.map { try column($0, in: batch.schema) }
    _ = try self.partition(partition)
    let rows = state.withLock { state -> [Int32] in
      var part = state[partition] ?? Partition()
      defer { state[partition] = part }
      let bound = effectiveBound(part.since)
      var rows: [Int32] = []
      for row in 0..<batch.rowCount {
        guard
          let value = IncrementalValue(
            batch.columns[cursorColumn].value(at: row), format: options.format)
        else {
          rows.append(Int32(row))
          continue
        }
        if dropsOlder, part.before != nil, let bound, value < bound { continue }
        let key = keyColumns.map { Self.text(batch.columns[$0].value(at: row)) }
          .joined(separator: ",")
        // Without declared keys two rows of one run may well be equal.
        if (options.key.isEmpty ? part.earlier : part.keys)[key] == value { continue }
        if part.cursor.map({ $0 < value }) ?? true {
          part.cursor = value
          part.bound = effectiveBound(bounded(value))
        }
        if part.bound.map({ $0 <= value }) ?? true { part.keys[key] = value }
        rows.append(Int32(row))
      }
      prune(&part)
      return rows
    }
    return rows.count == batch.rowCount ? batch : batch.gathered(rows)
  }

  func finish(_ partition: String) {
    // Its rows may come through only later.
    guard (try? self.partition(partition)) != nil else { return }
    state.withLock { $0[partition]?.isFinished = true }
  }

  func leaveAll() { isLeft.store(true, ordering: .relaxed) }

  func leave(_ partition: String) {
    guard (try? self.partition(partition)) != nil else { return }
    state.withLock { $0[partition]?.isLeft = true }
  }

  /// Saves the cursors of the partitions that were read to their end.
  ///
  /// - Parameter isWhole: Whether no part of the source failed; else the cursor of what has no name stays.
  /// - Throws: ``AggregateError`` with code `output`.
  func save(isWhole: Bool) throws {
    guard let database, !isLeft.load(ordering: .relaxed) else { return }
    for (name, part) in state.withLock({ $0 }) where part.isFinished && !part.isLeft {
      if name.isEmpty && !isWhole { continue }
      guard let cursor = part.cursor else { continue }
      let bound = effectiveBound(bounded(cursor)) ?? cursor
      let keys = part.keys.filter { $0.value >= bound }
        .map { BoundaryKey(key: $0.key, value: $0.value.json) }
      try database.save(cursor: cursor.json, boundary: keys, of: scope, partition: name)
    }
  }

  /// What was kept of a partition, and what the next run makes of it.
  struct Standing {
    /// The partition; empty for the only one, or for all that have none of their own.
    let partition: String
    /// The cursor.
    let value: String
    /// When it was saved.
    let updated: Instant
    /// Where the next run begins, as a request has it.
    let next: String?
  }

  /// What was kept, by partition; empty before the first run.
  ///
  /// - Throws: ``AggregateError`` when the state can't be read.
  func standings() throws -> [Standing] {
    guard let database else { return [] }
    return try database.cursors(config: scope.config).filter { $0.scope == scope }.map { cursor in
      Standing(
        partition: cursor.partition, value: IncrementalValue(json: cursor.value).text,
        updated: cursor.updated, next: try window(after: nil, of: cursor.partition)?.since)
    }
  }

  /// Where a partition begins that has no cursor, as a request has it; nil for everything there is.
  var start: String? {
    options.start.map {
      IncrementalValue(text: $0, format: options.format).written(options.format)
    }
  }

  // MARK: -

  /// The state of a partition, read when it is first asked for.
  private func partition(_ name: String) throws -> Partition {
    if let part = state.withLock({ $0[name] }) { return part }
    var part = Partition()
    let start = options.start.map { IncrementalValue(text: $0, format: options.format) }
    part.since = start
    if let database {
      // A cursor that was set by hand for the whole source is where its parts begin, too.
      let kept = try database.cursor(of: scope, partition: name) ?? database.cursor(of: scope)
      if let kept {
        let cursor = IncrementalValue(json: kept.value)
        part.before = cursor
        part.cursor = cursor
        part.since = start.map { max($0, bounded(cursor)) } ?? bounded(cursor)
        for key in try database.boundaryKeys(of: scope, partition: name) {
          part.keys[key.key] = IncrementalValue(json: key.value)
        }
        part.earlier = part.keys
        part.bound = effectiveBound(part.since)
      }
    }
    return state.withLock { state in
      if let known = state[name] { return known }
      state[name] = part
      return part
    }
  }

  /// Where a run after one that came to `cursor` begins: the lag before it.
  private func bounded(_ cursor: IncrementalValue) -> IncrementalValue {
    options.lag.map { cursor.earlier(by: $0) } ?? cursor
  }

  /// The bound as the service understands it: a format such as `%Y-%m-%d` cuts it down.
  private func effectiveBound(_ bound: IncrementalValue?) -> IncrementalValue? {
    guard case .instant(let instant)? = bound, let format = InstantFormat(options.format),
      let cut = format.parse(format.format(instant), zone: .utc)
    else { return bound }
    return .instant(min(cut, instant))
  }

  /// Forgets the keys that the cursor has left behind.
  private func prune(_ part: inout Partition) {
    guard part.keys.count > part.room, let bound = part.bound else { return }
    part.keys = part.keys.filter { $0.value >= bound }
    part.room = max(10_000, part.keys.count * 2)
  }

  private func column(_ name: LocatedText, in schema: Schema) throws -> Int {
    let reference = try schema.resolve(name)
    guard reference.subpath.isEmpty else {
      throw DiagnosticsError([
        Diagnostic(
          .error, "unknown-column", "“\(name.text)” lies inside a column", at: name.location,
          hint: "declare it under “columns”, with a name of its own")
      ])
    }
    return reference.index
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .absent, .null: "null"
    case .bool, .int, .double, .number: value.displayText
    default: EscapedText.quoted(value.displayText)
    }
  }
}
