public import AggregateCore

/// Decodes a whole body of JSON, or the part of it that a path finds.
public struct JSONPayloadDecoder<Payload: Decodable & Sendable>: PayloadDecoder {
  /// Looks for errors that a service puts into a good answer, and throws what it finds.
  public typealias Check = @Sendable (HTTPResponse, JSONNode) throws -> Void

  private let path: JSONPath?
  private let check: Check

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - path: Where the payload is; the whole body without it. Its first node is taken.
  ///   - check: Called with the root before anything is decoded.
  public init(
    _ type: Payload.Type = Payload.self, at path: JSONPath? = nil,
    check: @escaping Check = { _, _ in }
  ) {
    self.path = path
    self.check = check
  }

  /// Decodes the body.
  ///
  /// - Throws: ``AggregateError`` with code `badData`, naming the address and the place, or whatever
  ///   the check throws.
  public func decode(_ response: HTTPResponse) throws -> Payload {
    let root: JSONNode
    do {
      root = try JSONDocument(parsing: response.body).root
    } catch let error as AggregateError {
      var named = Self.named(error, response)
      if let type = response.header("content-type"), !type.lowercased().contains("json"),
        named.hint == nil
      {
        named.hint = "the answer calls itself \(type)"
      }
      throw named
    }
    try check(response, root)
    do {
      guard let path else { return try JSONDecoding.decode(Payload.self, from: root) }
      guard let node = path.firstNode(in: root) else {
        let reason = path.explanation(ofNothingIn: root)
        throw AggregateError(
          .badData, reason?.message ?? "there is no \(path)", hint: reason?.hint)
      }
      return try JSONDecoding.decode(Payload.self, from: node)
    } catch let error as AggregateError {
      throw Self.named(error, response)
    }
  }

  private static func named(_ error: AggregateError, _ response: HTTPResponse) -> AggregateError {
    var copy = error
    copy.message = "\(response.url): \(error.message)"
    copy.status = error.status ?? response.status
    return copy
  }
}
