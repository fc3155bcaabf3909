/// Stages bound one after the other, each to the output of the one before.
struct StageChain: Sendable {
  /// One bound stage with the streams it takes in beside the chain.
  struct Link: Sendable {
    let stage: any Stage
    let bound: BoundStage
    let sides: [SideStream]
  }

  let input: Schema
  /// The stages that are bound: all of them, or those up to one whose columns only its rows tell.
  let links: [Link]
  /// Binds the stages that are left to the schema of the first batch; nil when none are left.
  let bindRest: (@Sendable (Schema) throws -> StageChain)?

  /// The schema of what comes out of the bound stages.
  var output: Schema { links.last?.bound.output ?? input }

  /// How many stages from the beginning look at one row at a time.
  var rowPrefix: Int {
    links.firstIndex { link in
      if case .rows = link.bound { return !link.sides.isEmpty }
      return true
    } ?? links.count
  }

  /// What the first stage needs so that all columns of the output are right.
  func demand() throws -> ColumnDemand {
    var demand = ColumnDemand.all
    for index in links.indices.reversed() {
      let schema = index == 0 ? input : links[index - 1].bound.output
      demand = try links[index].stage.demand(demand, input: schema)
    }
    return demand
  }

  /// The rows of `batch` after the stages before `end`.
  func applyPrefix(_ batch: Batch, end: Int) throws -> Batch {
    var batch = batch
    for link in links[..<end] {
      guard case .rows(let transform) = link.bound else { break }
      batch = try transform.apply(batch)
    }
    return batch
  }
}

/// Runs the part of a chain that keeps state: batches in order, by one task.
final class ChainTail {
  private enum Step {
    case rows(any RowTransform)
    case stream(any StreamTransform)
  }

  /// The stages that this part runs.
  let links: ArraySlice<StageChain.Link>
  /// The part behind a stage whose columns only its rows tell, once they told.
  private(set) var rest: ChainTail?
  /// Whether nothing that comes later can change the result.
  private(set) var isSatisfied = false
  /// Batches that wait until the side inputs that come first were read; nil once they were.
  private var waiting: [Batch]?
  private let steps: [Step]
  private let bindRest: (@Sendable (Schema) throws -> StageChain)?
  private let begin: (Schema) throws -> Void
  private let deliver: (Batch) throws -> Demand

  /// - Parameters:
  ///   - chain: The chain, of which the first `skipping` stages run elsewhere.
  ///   - begin: Told the schema of what comes out, before it comes.
  ///   - deliver: Takes what comes out.
  init(
    _ chain: StageChain, skipping: Int, begin: @escaping (Schema) throws -> Void,
    deliver: @escaping (Batch) throws -> Demand
  ) throws {
    links = chain.links[skipping...]
    steps = try links.map { link in
      switch link.bound {
      case .rows(let transform): .rows(transform)
      case .stream(_, let make): .stream(try make())
      }
    }
    bindRest = chain.bindRest
    self.begin = begin
    self.deliver = deliver
    let needsSides = links.contains { link in
      link.stage.sideInputs.contains { $0.order == .beforeMain }
    }
    waiting = needsSides ? [] : nil
    if bindRest == nil { try begin(chain.output) }
  }

  /// Whether side inputs have to be read before batches can go through.
  var needsSides: Bool { waiting != nil }

  /// Told that the side inputs that come first were read: what waited goes through.
  func sidesWereRead() throws {
    let batches = waiting ?? []
    waiting = nil
    for batch in batches where try push(batch) == .enough { return }
  }

  /// Takes a batch at step `index`.
  func push(_ batch: Batch, at index: Int = 0, input: Int = 0) throws -> Demand {
    if waiting != nil, input == 0 {
      waiting?.append(batch)
      return .more
    }
    guard index < steps.count else {
      let demand = try deliverOrPassOn(batch)
      if demand == .enough { isSatisfied = true }
      return demand
    }
    let demand: Demand
    switch steps[index] {
    case .rows(let transform):
      demand = try push(transform.apply(batch), at: index + 1)
    case .stream(let transform):
      demand = try transform.process(batch, input: input) { try push($0, at: index + 1) }
    }
    if demand == .enough && input == 0 { isSatisfied = true }
    return demand
  }

  /// Tells step `index` that its input has ended.
  func finish(at index: Int, input: Int) throws {
    if case .stream(let transform) = steps[index] {
      try transform.finish(input: input) { try push($0, at: index + 1) }
    }
  }

  private func deliverOrPassOn(_ batch: Batch) throws -> Demand {
    guard let bindRest else { return try deliver(batch) }
    if let rest { return try rest.push(batch) }
    let made = try ChainTail(bindRest(batch.schema), skipping: 0, begin: begin, deliver: deliver)
    rest = made
    return try made.push(batch)
  }
}
