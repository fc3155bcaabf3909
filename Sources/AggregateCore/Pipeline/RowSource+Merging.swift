extension RowSource {
  /// Several sources as one: all of the first one's rows, then the next one's, columns by name,
  /// `_source` first. They are read side by side.
  ///
  /// - Parameter runner: Runs the sources with their own stages.
  public static func merged(
    _ name: String, _ sources: [RowSource], runner: PipelineRunner
  ) throws -> RowSource {
    let known = try sources.map { try runner.check($0) }
    let schema: Schema? =
      known.allSatisfy { $0 != nil }
      ? Schema.union(known.compactMap { $0 }).withSourceColumn() : nil
    if schema != nil { warnOfUnits(sources, known, runner.context.log) }
    return RowSource(name: name, schema: schema) { hooks in
      try await readMerged(sources, known, schema, runner, hooks, isLabelled: true)
    }
  }

  /// Parts of one source as one: all of the first one's rows, then the next one's, columns by name.
  /// They are read side by side.
  ///
  /// - Parameter runner: Runs the parts with their own stages.
  public static func joined(
    _ name: String, _ parts: [RowSource], runner: PipelineRunner
  ) throws -> RowSource {
    if parts.count == 1 { return parts[0] }
    let known = try parts.map { try runner.check($0) }
    let isKnown = known.allSatisfy { $0 != nil }
    let schema: Schema? = isKnown ? Schema.union(known.compactMap { $0 }) : nil
    return RowSource(name: name, schema: schema) { hooks in
      try await readMerged(parts, known, schema, runner, hooks, isLabelled: false)
    }
  }

  private static func readMerged(
    _ sources: [RowSource], _ known: [Schema?], _ merged: Schema?, _ runner: PipelineRunner,
    _ hooks: Hooks, isLabelled: Bool
  ) async throws {
    let queues = sources.map { _ in BoundedQueue<Batch>(capacity: 4) }
    let announced = sources.map { _ in BoundedQueue<Schema>(capacity: 1) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, source) in sources.enumerated() {
        group.addTask {
          let queue = queues[index]
          do {
            try await runner.forEach(
              source,
              onSchema: { schema in
                try await announced[index].send(schema)
                announced[index].finish()
              }, { try await queue.send($0) })
            announced[index].finish()
            queue.finish()
          } catch {
            // A failed source announces nothing; its failure comes in its turn, after its rows.
            announced[index].finish()
            queue.finish(throwing: error)
          }
        }
      }
      do {
        var schema = merged
        if schema == nil {
          var all: [Schema] = []
          for index in sources.indices {
            if let schema = known[index] {
              all.append(schema)
            } else if let schema = try await announced[index].receive() {
              all.append(schema)
            }
          }
          var union = Schema.union(all)
          if isLabelled {
            union = union.withSourceColumn()
            if all.count == sources.count { warnOfUnits(sources, all, runner.context.log) }
          }
          _ = try await hooks.publish(union)
          schema = union
        }
        guard let schema else { return }
        for (index, source) in sources.enumerated() {
          while let batch = try await queues[index].receive() {
            let rows =
              try isLabelled
              ? labelled(batch, source.name, schema) : batch.adapted(to: schema)
            try await hooks.emit(Emission(.batch(rows)))
          }
        }
      } catch {
        group.cancelAll()
        throw error
      }
    }
  }

  /// Tells of columns that hold different quantities: numbers in them can't be compared.
  private static func warnOfUnits(_ sources: [RowSource], _ schemas: [Schema?], _ log: RunLog) {
    var first: [String: (unit: String, source: String)] = [:]
    var told: Set<String> = []
    for (source, schema) in zip(sources, schemas) {
      for column in schema?.columns ?? [] {
        guard let unit = column.unit else { continue }
        guard let known = first[column.name] else {
          first[column.name] = (unit, source.name)
          continue
        }
        if known.unit == unit || UnitConversion(from: unit, to: known.unit) != nil { continue }
        if told.insert(column.name).inserted {
          log.warn(
            "“\(column.name)” is in \(known.unit) in “\(known.source)” and in \(unit) in “\(source.name)”: "
              + "the merged column has no unit")
        }
      }
    }
  }

  private static func labelled(_ batch: Batch, _ name: String, _ schema: Schema) throws -> Batch {
    if batch.schema.index(of: "_source") != nil { return try batch.adapted(to: schema) }
    let columns = [Column.constant(name, count: batch.rowCount)] + batch.columns
    return try Batch(
      schema: batch.schema.withSourceColumn(), columns: columns, rowCount: batch.rowCount
    ).adapted(to: schema)
  }
}
