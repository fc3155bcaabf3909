public import AggregateCore

/// An expression over aggregates of several rows, such as `sum(price * qty) / count()`, parsed.
public struct Aggregate: Sendable {
  /// What was written, and where.
  public let source: LocatedText
  let syntax: Syntax

  /// Parses it; nil, with a diagnostic that points into it, when it is malformed.
  public init?(_ text: LocatedText, _ diagnostics: inout Diagnostics) {
    guard let expression = Expression(text, &diagnostics) else { return nil }
    source = text
    syntax = expression.syntax
  }

  /// Takes an expression that was parsed already.
  public init(_ expression: Expression) {
    source = expression.source
    syntax = expression.syntax
  }

  /// The syntax mistake in `text`; nil when there is none.
  public static func mistake(in text: String) -> Shape.Mistake? { Expression.mistake(in: text) }

  /// Compiles it for rows of `schema`; names may stand only inside aggregates.
  ///
  /// - Throws: ``DiagnosticsError`` for an unknown column or function, a name that is neither
  ///   grouped nor aggregated, nested aggregates, a wrong number or type of arguments.
  public func bind(_ schema: Schema) throws -> BoundAggregate {
    var binder = Binder(Names(schema: schema), findsAggregates: true)
    do {
      let bound = try binder.bind(syntax)
      return BoundAggregate(
        bound, calls: binder.aggregates ?? [], references: binder.references)
    } catch {
      throw DiagnosticsError([error.diagnostic(in: source)])
    }
  }
}

/// An expression over aggregates, compiled for one schema.
public struct BoundAggregate: Sendable {
  /// The type of its values; `any` when only the cells can tell.
  public let type: ValueType
  /// The columns, and paths inside them, that it reads.
  public let references: [ColumnReference]
  let calls: [AggregateCall]
  let plan: Plan
  let resultType: ExpressionType

  init(_ bound: Bound, calls: [AggregateCall], references: [ColumnReference]) {
    plan = bound.plan
    resultType = bound.type
    type = bound.type.columnType
    self.calls = calls
    self.references = references
  }

  /// An empty state, for one thread.
  public func makeAccumulator() -> AggregateAccumulator { AggregateAccumulator(self) }
}

/// What the aggregates of one expression have gathered so far, for all groups.
public final class AggregateAccumulator {
  private let aggregate: BoundAggregate
  private let states: [any GroupState]
  private let schema: Schema

  init(_ aggregate: BoundAggregate) {
    self.aggregate = aggregate
    states = aggregate.calls.map { call in
      let state = call.makeState()
      return call.isDistinct && call.argument != nil ? DistinctState(state) : state
    }
    schema = Schema(aggregate.calls.indices.map { ColumnSpec("\($0)") })
  }

  /// Adds each row of `batch` to the group that `groups` names for it.
  ///
  /// - Parameters:
  ///   - groups: One number below `groupCount` per row.
  ///   - groupCount: How many groups there are so far.
  ///   - column: What losses are reported under.
  /// - Throws: ``AggregateError`` for a value that cannot be computed when `log` is strict.
  public func update(
    _ batch: Batch, groups: [Int32], groupCount: Int, into column: String, log: RunLog
  ) throws {
    precondition(groups.count == batch.rowCount)
    let losses = Losses()
    let frame = Frame(batch, losses: losses)
    for (call, state) in zip(aggregate.calls, states) {
      let operand = call.argument?.evaluate(frame) ?? .null
      state.update(operand, frame, groups: groups, groupCount: groupCount)
    }
    try losses.report(column, log)
  }

  /// The value of each group; the accumulator may go on afterwards.
  ///
  /// - Throws: ``AggregateError`` for a value that cannot be computed when `log` is strict.
  public func finish(groupCount: Int, into column: String, log: RunLog) throws -> Column {
    let columns = states.map { $0.finish(groupCount: groupCount) }
    let batch = Batch(schema: schema, columns: columns, rowCount: groupCount)
    let losses = Losses()
    let frame = Frame(batch, losses: losses)
    let operand = frame.converted(aggregate.plan.evaluate(frame), to: aggregate.resultType)
    try losses.report(column, log)
    return operand.column(count: groupCount)
  }
}
