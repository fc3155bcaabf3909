package import AggregateCore
import AggregateJSON

/// A shard as one line of JSON: `{"source":"items","shard":1,"of":3,"set":{…}}`.
package struct ShardLine {
  /// The source.
  let source: String
  /// The options that make it a part.
  let shard: Shard

  package init(source: String, shard: Shard) {
    self.source = source
    self.shard = shard
  }

  /// Reads a line.
  ///
  /// - Parameter place: Where it stands, for messages.
  /// - Throws: ``AggregateError`` with code `configuration` when it is not what `shards` writes.
  init(_ text: Substring, at place: String) throws {
    let document: JSONDocument
    do {
      document = try JSONDocument(String(text))
    } catch let error as AggregateError {
      throw Self.mistake("\(place): \(error.message)")
    }
    guard let source = document.root["source"]?.string else {
      throw Self.mistake("\(place): a shard is an object with “source”")
    }
    self.source = source
    guard let set = document.root["set"] else {
      throw Self.mistake("\(place): a shard is an object with “set”")
    }
    guard set.kind == .object else {
      throw Self.mistake("\(place): “set” is \(set.shown), not an object")
    }
    shard = Shard(
      set.members.map { key, value in
        Shard.Setting(key.string ?? "", json: value.string ?? Self.json(value))
      })
  }

  /// The line, without its end.
  package func text(number: Int, of count: Int) -> String {
    let set = shard.settings.map { "\(EscapedText.quoted($0.name)):\($0.json)" }
    return "{\"source\":\(EscapedText.quoted(source)),\"shard\":\(number),\"of\":\(count),"
      + "\"set\":{\(set.joined(separator: ","))}}"
  }

  /// A value as JSON that YAML reads too: other programs may have written its escapes in pairs.
  private static func json(_ node: JSONNode) -> String {
    switch node.kind {
    case .array: return "[" + node.elements.map(json).joined(separator: ",") + "]"
    case .object:
      let members = node.members.map {
        EscapedText.quoted($0.key.string ?? "") + ":" + json($0.value)
      }
      return "{" + members.joined(separator: ",") + "}"
    default: return node.string.map(EscapedText.quoted) ?? node.rawText
    }
  }

  private static func mistake(_ message: String) -> AggregateError {
    AggregateError(
      .configuration, message, hint: "“aggregate shards NAME --count N” writes shards")
  }
}
