/// Stages bound one after the other, each to the output of the one before.
struct StageChain: Sendable {
  /// One bound stage with the streams it takes in beside the chain.
  struct Link: Sendable {
    let stage: any Stage
    let bound: BoundStage
    let sides: [SideStream]
  }

  let input: Schema
  let links: [Link]

  /// The schema of what comes out.
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

  private let steps: [Step]
  private let deliver: (Batch) throws -> Demand
  /// Whether nothing that comes later can change the result.
  private(set) var isSatisfied = false

  init(
    _ links: ArraySlice<StageChain.Link>, deliver: @escaping (Batch) throws -> Demand
  ) throws {
    steps = try links.map { link in
      switch link.bound {
      case .rows(let transform): .rows(transform)
      case .stream(_, let make): .stream(try make())
      }
    }
    self.deliver = deliver
  }

  /// Takes a batch at step `index`.
  func push(_ batch: Batch, at index: Int = 0, input: Int = 0) throws -> Demand {
    guard index < steps.count else {
      let demand = try deliver(batch)
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
}
