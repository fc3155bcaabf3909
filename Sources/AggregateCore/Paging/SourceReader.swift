/// Reads a source: its parts side by side, each from the services that have it, and emits their rows in order.
struct SourceReader<Source: EndpointProvider>: Sendable {
  typealias Part = Source.SourceEndpoint.Part

  /// A part with its number, from 0, in the order of the rows.
  private struct Numbered: Sendable {
    let part: Part
    let number: Int
  }

  let source: Source
  let context: ProviderContext
  /// What finds the columns; nil when they are known.
  let gate: SchemaGate<Source.Mapper>?
  private let outages = Outages()

  init(_ source: Source, _ context: ProviderContext) {
    self.source = source
    self.context = context
    gate =
      source.mapper.knownSchema == nil
      ? SchemaGate(source.mapper, rowLimit: context.rowLimit) : nil
  }

  func run() async throws {
    try await OrderedParts.run(
      context, name: { source.endpoint.name(of: $0.part) },
      produce: { yield in
        var number = 0
        try await source.endpoint.parts(context) { part in
          try await yield(Numbered(part: part, number: number))
          number += 1
        }
      },
      read: { try await read($0.part, $0.number, $1) })
    guard let gate else { return }
    if let answer = await gate.decideAtEnd() {
      _ = try await PageRows(self, 0, context).settle(answer)
    } else if await !gate.isDecided {
      _ = try await context.publish(Schema([]))
    }
  }

  private func read(_ part: Part, _ number: Int, _ context: ProviderContext) async throws {
    defer { source.endpoint.finish(part) }
    do {
      try await readServices(of: part, number, context)
    } catch {
      if let gate {
        // What came before a failure is good.
        if !(error is CancellationError) {
          try? await PageRows(self, number, context).flush()
        }
        await gate.settle(number)
      }
      throw error
    }
    await gate?.settle(number)
  }

  /// Asks one service after the other until one has rows.
  private func readServices(
    of part: Part, _ number: Int, _ context: ProviderContext
  ) async throws {
    let services = source.endpoint.services(for: part)
    for (position, service) in services.enumerated() {
      let isLast = position + 1 == services.count
      // A source with one service has its own way with failures.
      let context =
        service.name.isEmpty
        ? context
        : context.using(
          ServiceClient(
            inner: context.http, service: service.name, hasOther: !isLast, outages: outages,
            patience: source.patience))
      var reader = PartReader(self, service.part, number, context)
      do {
        try await reader.run()
        if reader.rowCount > 0 || service.name.isEmpty { return }
        warn(of: "its answer has no rows", service.part, services, position, context)
      } catch is EndOfPart {
        return
      } catch let left as ServiceClient.LeftOut {
        // It was told when it failed.
        if isLast { throw await explained(left.error, services, position, context) }
      } catch let error as AggregateError {
        let isLasting =
          !service.name.isEmpty && Outages.isLasting(error, hasOther: !isLast)
        let isNew =
          !isLasting
          || reader.url.map { outages.note(error, of: service.name, at: $0) } ?? true
        // Rows that were given can't be taken back; a loss that ends a strict run is no matter of the service.
        let isStrictLoss = context.log.isStrict && context.log.hasLosses
        if isLast || reader.rowCount > 0 || isStrictLoss {
          throw await explained(error, services, position, context)
        }
        if isNew {
          warn(
            of: error.message + (isLasting ? "; it is not asked again in this run" : ""),
            service.part, services, position, context)
        }
      }
    }
  }

  private func warn(
    of message: String, _ part: Part, _ services: [Service<Part>], _ position: Int,
    _ context: ProviderContext
  ) {
    let isLast = position + 1 == services.count
    let what = isLast ? "" : " failed, asking \(services[position + 1].name)"
    context.log.warn(
      "\(context.source): \(source.endpoint.name(of: part)): \(services[position].name)\(what): "
        + message)
  }

  private func explained(
    _ error: AggregateError, _ services: [Service<Part>], _ position: Int,
    _ context: ProviderContext
  ) async -> AggregateError {
    var error = await source.endpoint.explain(error, of: services[position].part, context)
    if position > 0 {
      let others = services[..<position].map(\.name).joined(separator: " and ")
      error.message += "; \(others) failed before it"
    }
    return error
  }
}

/// Thrown by an endpoint for a part that turned out to have no rows of its own.
public struct EndOfPart: Error {
  /// Creates it.
  public init() {}
}
