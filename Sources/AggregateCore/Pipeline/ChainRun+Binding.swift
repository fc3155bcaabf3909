import Synchronization

extension ChainRun {
  /// Starts the side inputs whose columns only their data can tell, up to their first batch.
  func learnSideSchemas() async throws {
    for stage in source.stages {
      for side in stage.sideInputs where sides.withLock({ $0[side.name] == nil }) {
        let sideSource = try resolve(side)
        let schema = try runner.check(sideSource)
        let stream = SideStream(sideSource, schema, runner)
        if schema == nil { try await stream.learnSchema() }
        sides.withLock { $0[side.name] = stream }
      }
    }
  }

  /// The chain for batches of `schema`: the first one binds it, later ones must fit.
  func chain(flowing schema: Schema) throws -> StageChain {
    try binding.withLock { binding in
      if let chain = binding.flowing { return chain }
      let chain =
        if let published = binding.published, published.input == schema, !binding.isStandIn {
          published
        } else {
          try bind(schema)
        }
      binding.flowing = chain
      return chain
    }
  }

  /// Binds the chain to the schema that the source publishes.
  ///
  /// An input without any column is an empty one, and no name can be wrong in it: nothing comes out,
  /// whatever the stages. Should a row come after all, they are bound to it, and fail then.
  func publish(_ schema: Schema) throws -> ColumnDemand {
    do {
      let chain = try bind(schema)
      binding.withLock { $0.published = chain }
      return try chain.demand()
    } catch let error as DiagnosticsError {
      guard schema.names.allSatisfy({ $0 == Schema.overflowName }) else { throw error }
      let empty = StageChain(input: Schema([]), links: [], bindRest: nil)
      binding.withLock {
        $0.published = empty
        $0.isStandIn = true
      }
      return .all
    }
  }

  func bind(_ schema: Schema) throws -> StageChain {
    try bind(source.stages[...], to: schema)
  }

  func bind(_ stages: ArraySlice<any Stage>, to schema: Schema) throws -> StageChain {
    var links: [StageChain.Link] = []
    var current = schema
    var left = stages
    while let stage = left.popFirst() {
      let streams = try stage.sideInputs.map { side in
        guard let stream = sides.withLock({ $0[side.name] }) else {
          throw AggregateError(.internal, "the side input “\(side.name)” was not started")
        }
        return stream
      }
      let bound = try stage.bind(current, sides: streams.map(\.schema), context)
      links.append(StageChain.Link(stage: stage, bound: bound, sides: streams))
      current = bound.output
      if stage.findsSchema {
        let rest = left
        return StageChain(
          input: schema, links: links, bindRest: { try self.bind(rest, to: $0) })
      }
    }
    return StageChain(input: schema, links: links, bindRest: nil)
  }
}
