/// Reads parts of a source side by side and emits their rows in the order of the parts.
public enum OrderedParts {
  /// How many pieces of work of a part may wait while an earlier part is still being read.
  private static let waiting = 4

  /// Runs `read` for every part that `produce` yields, at most `context.jobs` at a time.
  ///
  /// The rows of a part that is ahead of its turn wait in a bounded queue, so memory is bounded by
  /// twice `jobs` queues. Where only so many rows are wanted, a part waits until its rows were taken, so that
  /// it asks for no page in vain. The first failure, in the order of the parts, ends the run after the rows
  /// before it were emitted.
  ///
  /// - Parameter name: What tells a part from the others of an incremental source, which has a cursor for
  ///   each name; empty for one cursor of all.
  public static func run<Part: Sendable>(
    _ context: ProviderContext, name: @escaping @Sendable (Part) -> String = { _ in "" },
    produce: @escaping @Sendable ((Part) async throws -> Void) async throws -> Void,
    read: @escaping @Sendable (Part, ProviderContext) async throws -> Void
  ) async throws {
    let starts = StartOrder()
    let order = BoundedQueue<(name: String, queue: BoundedQueue<Handover>)>(capacity: .max)
    let isLimited = context.rowLimit != nil
    // As many as are read may have been read, so that a slow one does not keep the others from going on.
    let parts = PartQueue(atOnce: context.jobs, ahead: isLimited ? 0 : context.jobs)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        // Discarding: another kind of group keeps each ended task, and all its memory, to the end.
        await withDiscardingTaskGroup { readers in
          do {
            var readerCount = 0
            try await produce { part in
              if readerCount < context.jobs {
                readerCount += 1
                readers.addTask { while let part = await parts.next() { await part() } }
              }
              let queue = BoundedQueue<Handover>(capacity: waiting)
              let name = name(part)
              try await order.send((name, queue))
              // Readers get on at any pace; requests must be sent in order.
              let turn = starts.next()
              try await parts.put {
                defer { turn.begin() }
                do {
                  try await read(
                    part,
                    context.inTurn(turn, part: name) {
                      try await Handover.send($0, to: queue, waits: isLimited)
                    })
                  queue.finish()
                } catch {
                  queue.finish(throwing: error)
                }
              }
            }
            order.finish()
          } catch {
            // Not thrown from here: that would cancel the parts before it, whose rows are good.
            order.finish(throwing: error)
          }
          parts.finish()
        }
      }
      do {
        while let (name, queue) = try await order.receive() {
          do {
            while let handover = try await queue.receive() {
              try await context.forward(handover.emission)
              handover.taken?.finish()
            }
            context.cursors?.finish(name)
          } catch let error as AggregateError
            where context.errorPolicy == .partial && error.code.endsOnePart
          {
            context.tally.fail(error.of(source: context.source), .partial)
          }
          parts.noteEnd()
        }
      } catch {
        group.cancelAll()
        parts.cancel()
        throw error
      }
      try await group.waitForAll()
    }
  }
}
