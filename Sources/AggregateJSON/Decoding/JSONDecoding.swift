internal import AggregateCore

/// Decodes values from nodes, visiting only what is asked for.
///
/// Beside `Decodable` types in general it fits `JSONFragment`, `NumberOrText` and `Lenient`. Keys match
/// exactly and the last of duplicates wins; whole numbers are read exactly, also from `12.0`; whatever
/// else the document holds (`1e400`, half a surrogate pair) does not matter.
public struct JSONDecoding {
  /// The value of `type` that `node` holds.
  ///
  /// - Throws: ``AggregateError`` with code `badData`: the place as a JSONPath, what was expected and
  ///   what was found there.
  public static func decode<T: Decodable>(_ type: T.Type, from node: JSONNode) throws -> T {
    do {
      return try JSONNodeDecoder(node: node).unbox(type)
    } catch let error as DecodingError {
      throw described(error, in: node)
    }
  }

  /// The error for a value that is not what was expected.
  static func mismatch(_ expected: String, _ node: JSONNode) -> AggregateError {
    AggregateError(.badData, "\(node.path): expected \(expected), but found \(node.shown)")
  }

  /// The error for a member that is missing.
  static func missing(_ key: String, in node: JSONNode) -> AggregateError {
    let keys = node.members.prefix(60).compactMap(\.key.string)
    let near = Suggestions.nearest(to: key, in: keys).first.map { ", but “\($0)” is" } ?? ""
    return AggregateError(
      .badData,
      "\(node.path): the member “\(key)” is missing\(near.isEmpty ? "" : near + " there")",
      hint: keys.isEmpty || keys.count > 20 || !near.isEmpty
        ? nil : "found: \(keys.joined(separator: ", "))")
  }

  /// What types that decode themselves threw, in the words of this program.
  private static func described(_ error: DecodingError, in node: JSONNode) -> AggregateError {
    let context: DecodingError.Context
    switch error {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
      context = found
    case .keyNotFound(let key, let found):
      return AggregateError(
        .badData, "\(path(found.codingPath)): the member “\(key.stringValue)” is missing")
    @unknown default:
      return AggregateError(.badData, "\(node.path): \(error)")
    }
    return AggregateError(.badData, "\(path(context.codingPath)): \(context.debugDescription)")
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "$") { text, key in
      text += key.intValue.map { "[\($0)]" } ?? JSONPath.step(key.stringValue)
    }
  }
}
