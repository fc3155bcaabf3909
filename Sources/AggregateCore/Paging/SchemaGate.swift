/// Finds the one schema of a source whose columns only the data tell, though its parts are read
/// side by side: the first records decide, in the order of the rows.
///
/// Pages that come before the decision are held, and whoever brings it about emits them.
actor SchemaGate<Mapper: PageMapper> {
  typealias MappedPage = Page<Mapper.Part, Mapper.Payload>

  private let mapper: Mapper
  private var columns = FoundColumns()
  private var schema: Schema?
  private var held: [MappedPage] = []
  private var settled: Set<Int> = []
  /// The first part that did not come to its end.
  private var turn = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private let sampleSize: Int

  /// Creates a gate for a run of which at most `rowLimit` rows are wanted, where that is known.
  init(_ mapper: Mapper, rowLimit: Int?) {
    self.mapper = mapper
    sampleSize = mapper.sampleSize(rowLimit: rowLimit)
  }

  /// What is known of the columns.
  enum Answer {
    /// The columns so far; the page is to be held.
    case sofar(Schema)
    /// The columns.
    case decided(Schema)
    /// The columns, decided just now: to be published, and the pages held so far to be emitted.
    case first(Schema, held: [MappedPage])
  }

  /// Looks at what a page of part `number` has.
  ///
  /// Waits until all parts before it came to their end, with rows or without: they always do,
  /// also when the run is cancelled.
  func look(at payload: Mapper.Payload, of number: Int) async -> Answer {
    await wait(for: number)
    if let schema { return .decided(schema) }
    mapper.find(in: payload, &columns)
    let found = mapper.schema(of: columns)
    guard columns.count >= sampleSize else { return .sofar(found) }
    return decide(found)
  }

  /// Keeps a page until the columns are known; gives them when they are.
  func hold(_ page: MappedPage) -> Schema? {
    if schema == nil { held.append(page) }
    return schema
  }

  /// Decides with what was seen, since part `number` can't go on; nil when that was done before,
  /// or nothing was seen.
  func decide(at number: Int) async -> Answer? {
    await wait(for: number)
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

  /// Notes that a part came to its end.
  func settle(_ number: Int) {
    settled.insert(number)
    while settled.remove(turn) != nil { turn += 1 }
    wake()
  }

  /// Whether the columns are known.
  var isDecided: Bool { schema != nil }

  private func wait(for number: Int) async {
    while schema == nil && turn != number {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func wake() {
    let all = waiting
    waiting = []
    for continuation in all { continuation.resume() }
  }
}
