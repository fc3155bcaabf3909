/// What a body is expected to be.
public enum BodyKind: Sendable, Hashable {
  /// Whatever the decoder makes of it.
  case any
  /// JSON.
  case json
}

/// Says what counts as an answer, on every page of every provider.
///
/// Statuses of 400 and more have ended in the transport, unless a rule of the source let them through.
struct AnswerJudge {
  /// What an answer is.
  enum Verdict {
    /// It has a body to decode.
    case body
    /// It has no rows, and says so.
    case empty
  }

  /// Judges an answer.
  ///
  /// - Throws: ``AggregateError`` with code `rejected` for an answer that nobody asked for.
  static func verdict(
    on answer: HTTPResponse, expecting kind: BodyKind
  ) throws -> Verdict {
    switch answer.status {
    case 204, 205: return .empty
    case 206:
      throw unasked(answer, "a part of the document (206), and the whole of it was asked for")
    case 304:
      throw unasked(
        answer, "that nothing has changed (304), and nothing was said of an earlier answer")
    case 300..<400: throw unasked(answer, "\(answer.status), which is no data")
    default: break
    }
    let beginning = BodyBeginning(answer.body)
    guard let first = beginning.first else { return .empty }
    if kind == .json, first == UInt8(ascii: "<") { throw beginning.markup(from: answer.url) }
    return .body
  }

  private static func unasked(_ answer: HTTPResponse, _ what: String) -> AggregateError {
    AggregateError(
      .rejected, "\(answer.url) answered \(what)", hint: "is the address the one of an API?",
      status: answer.status)
  }
}
