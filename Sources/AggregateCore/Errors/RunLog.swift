import Synchronization

/// What a run has to say beside its data: warnings, losses, what was waited for.
///
/// Every line passes the redactor and goes to one sink (stderr); nothing else writes there. Losses
/// (values that could not be computed or converted) are counted and told once per column and kind.
public final class RunLog: Sendable {
  /// How much is told.
  public enum Level: Int, Sendable, Comparable {
    /// Errors only.
    case quiet
    /// Errors, warnings and summaries.
    case normal
    /// One line per request and page as well.
    case verbose

    /// Less is lower.
    public static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// Something that a run has to say.
  public struct Event: Sendable, Hashable, CustomStringConvertible {
    /// What it is.
    public enum Kind: Sendable {
      /// Something may be wrong.
      case warning
      /// Something of interest.
      case note
      /// Something that is asked for with `-v`.
      case detail
    }

    /// What it is.
    public let kind: Kind
    /// What is said, without a line end.
    public let message: String

    /// The line that users read.
    public var description: String { kind == .warning ? "warning: \(message)" : message }
  }

  private struct Loss {
    var count: Int
    var example: String
    var order: Int
  }

  private struct Skipped {
    var count: Int
    var first: AggregateError
    var byte: Int
    var order: Int
  }

  private struct LossKey: Hashable {
    /// What lost the values: a column, or the stage that asked for them.
    var subject: String
    var kind: String
  }

  private struct State {
    var losses: [LossKey: Loss] = [:]
    var skipped: [String: Skipped] = [:]
    var warned: Set<String> = []
    var warnings: [String] = []
  }

  /// How much is told.
  public let level: Level
  /// Whether a loss or a warning ends the run.
  public let isStrict: Bool
  private let sink: @Sendable (Event) -> Void
  private let state = Mutex(State())

  /// Creates a log; `sink` receives what is to be told at its level.
  public init(level: Level, isStrict: Bool, sink: @escaping @Sendable (Event) -> Void) {
    self.level = level
    self.isStrict = isStrict
    self.sink = sink
  }

  /// A log that tells nothing, for tests and for `list`, `show` and the like.
  public static let silent = RunLog(level: .quiet, isStrict: false) { _ in }

  /// Tells a warning, once per text.
  public func warn(_ message: String) {
    let isNew = state.withLock { state in
      guard state.warned.insert(message).inserted else { return false }
      state.warnings.append(message)
      return true
    }
    if isNew { tell(.warning, message) }
  }

  /// Tells something of interest, when not quiet.
  public func note(_ message: String) {
    tell(.note, message)
  }

  /// Tells a detail, when asked for with `-v`.
  public func detail(_ message: @autoclosure () -> String) {
    if level >= .verbose { tell(.detail, message()) }
  }

  /// The warnings so far.
  public var warnings: [String] { state.withLock { $0.warnings } }

  /// Counts values that became null because they could not be computed or converted.
  ///
  /// - Parameters:
  ///   - column: The column that lost them.
  ///   - kind: What was wrong, such as `do not read as int` or `overflow`.
  ///   - count: How many.
  ///   - example: One of them, as text.
  /// - Throws: ``AggregateError`` with code `badData` when strict.
  public func lost(column: String, kind: String, count: Int, example: String) throws {
    try lost(subject: "column “\(column)”", kind, count, example)
  }

  /// Counts values that a condition of `stage` could not be computed of; there they count as null.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when strict.
  public func lost(in stage: String, kind: String, count: Int, example: String) throws {
    try lost(subject: stage, kind, count, example)
  }

  private func lost(subject: String, _ kind: String, _ count: Int, _ example: String) throws {
    state.withLock { state in
      let key = LossKey(subject: subject, kind: kind)
      let order = state.losses.count
      state.losses[key, default: Loss(count: 0, example: example, order: order)].count += count
    }
    if isStrict {
      throw AggregateError(
        .badData, "\(subject): \(kind)", hint: "the value is \(Self.shown(example))")
    }
  }

  /// Whether values were lost so far.
  public var hasLosses: Bool { state.withLock { !$0.losses.isEmpty } }

  /// Counts malformed records that were left out, as the policy allows.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when strict.
  public func skipped(
    records count: Int, of input: String, first: AggregateError, at byte: Int
  ) throws {
    state.withLock { state in
      var loss =
        state.skipped[input]
        ?? Skipped(count: 0, first: first, byte: byte, order: state.skipped.count)
      loss.count += count
      // Pieces of an input are read side by side.
      if byte < loss.byte { (loss.first, loss.byte) = (first, byte) }
      state.skipped[input] = loss
    }
    if isStrict { throw first }
  }

  /// Tells the losses counted so far, one line each; called once, at the end.
  public func reportLosses() {
    let (losses, skipped) = state.withLock { state in
      (
        state.losses.sorted { $0.value.order < $1.value.order },
        state.skipped.sorted { $0.value.order < $1.value.order }
      )
    }
    if level >= .normal {
      for (input, loss) in skipped {
        let records = loss.count == 1 ? "1 malformed record" : "\(loss.count) malformed records"
        tell(.warning, "\(input): \(records) left out, the first: \(loss.first.placed)")
      }
    }
    // A strict run ended with the first of them, as an error.
    for (key, loss) in losses where !isStrict {
      let values = loss.count == 1 ? "1 value" : "\(loss.count) values"
      if level >= .normal {
        tell(
          .warning,
          "\(key.subject): \(values) became null: \(key.kind), such as "
            + Self.shown(loss.example))
      }
    }
  }

  private func tell(_ kind: Event.Kind, _ message: String) {
    if level >= .normal { sink(Event(kind: kind, message: message)) }
  }

  private static func shown(_ example: String) -> String {
    let short = example.count > 60 ? example.prefix(60) + "…" : example[...]
    return "“\(short)”"
  }
}
