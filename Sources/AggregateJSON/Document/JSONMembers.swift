internal import AggregateCore

/// The members of an object, in order, duplicates included, without allocation.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  /// One member: its key is a string node.
  public typealias Element = (key: JSONNode, value: JSONNode)

  private let document: JSONDocument
  private var at: Int
  private let end: Int

  init(of node: JSONNode) {
    document = node.document
    at = node.index + 1
    end = node.kind == .object ? document.tape.next(node.index) : at
  }

  /// The next member.
  public mutating func next() -> Element? {
    guard at < end else { return nil }
    defer { at = document.tape.next(at + 1) }
    return (JSONNode(document: document, index: at), JSONNode(document: document, index: at + 1))
  }
}
