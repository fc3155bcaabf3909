internal import AggregateCore

/// Finds the one schema of a source whose columns are not declared, though its partitions are read
/// side by side: the first records decide, in the order of the rows.
///
/// Pages that come before the decision are held, and whoever brings it about emits them.
actor SchemaGate {
  private let mapper: RESTRowMapper
  private var columns = SampledColumns()
  private var schema: Schema?
  private var held: [ReadPage] = []
  private var settled: Set<Int> = []
  /// The first partition that did not come to its end.
  private var turn = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  private let leastSample: Int

  /// Creates a gate for a run of which at most `rowLimit` rows are wanted, where that is known.
  init(_ mapper: RESTRowMapper, rowLimit: Int?) {
    self.mapper = mapper
    leastSample = mapper.leastSample(rowLimit: rowLimit)
  }

  /// What is known of the columns.
  enum Answer {
    /// The columns so far; the page is to be held.
    case sofar(Schema)
    /// The columns.
    case decided(Schema)
    /// The columns, decided just now: to be published, and the pages held so far to be emitted.
    case first(Schema, held: [ReadPage])
  }

  /// Looks at a page of partition `index`.
  ///
  /// Waits until all partitions before it came to their end, with rows or without: they always do,
  /// also when the run is cancelled.
  func look(at payload: RESTPayload, of index: Int) async -> Answer {
    await wait(for: index)
    if let schema { return .decided(schema) }
    mapper.sample(payload, into: &columns)
    let found = mapper.schema(of: columns)
    guard columns.count >= leastSample else { return .sofar(found) }
    return decide(found)
  }

  /// Keeps a page until the columns are known.
  func hold(_ page: ReadPage) { held.append(page) }

  /// Decides with what was seen, since partition `index` can't go on; nil when that was done before,
  /// or nothing was seen.
  func decide(at index: Int) async -> Answer? {
    await wait(for: index)
    return decideAtEnd()
  }

  /// Decides with what was seen, since nothing more comes.
  func decideAtEnd() -> Answer? {
    schema == nil && !held.isEmpty ? decide(mapper.schema(of: columns)) : nil
  }

  private func decide(_ found: Schema) -> Answer {
    schema = found
    let pages = held
    held = []
    wake()
    return .first(found, held: pages)
  }

  /// Notes that a partition came to its end.
  func settle(_ index: Int) {
    settled.insert(index)
    while settled.remove(turn) != nil { turn += 1 }
    wake()
  }

  /// Whether the columns are known.
  var isDecided: Bool { schema != nil }

  private func wait(for index: Int) async {
    while schema == nil && turn != index {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func wake() {
    let all = waiting
    waiting = []
    for continuation in all { continuation.resume() }
  }
}
