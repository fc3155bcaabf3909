public import AggregateCore

/// A body as a document.
public struct JSONBodyDecoder: PayloadDecoder {
  /// Creates a decoder.
  public init() {}

  /// Parses a body.
  public func decode(_ response: HTTPResponse) throws -> JSONDocument {
    try JSONDocument(answer: response)
  }
}

extension JSONDocument {
  /// Parses the body of an answer.
  ///
  /// - Throws: ``AggregateError`` as `init(parsing:in:members:)` does, with the address in the message.
  public convenience init(answer: HTTPResponse, members: JSONMemberNames? = nil) throws {
    do {
      try self.init(parsing: answer.body, members: members)
    } catch var error as AggregateError {
      error.message = "\(answer.url): \(error.message)"
      throw error
    }
  }
}
