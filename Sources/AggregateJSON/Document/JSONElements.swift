internal import AggregateCore

/// The elements of an array, in order, without allocation.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let document: JSONDocument
  private var at: Int
  private let end: Int

  init(of node: JSONNode) {
    document = node.document
    at = node.index + 1
    end = node.kind == .array ? document.tape.next(node.index) : at
  }

  /// The next element.
  public mutating func next() -> JSONNode? {
    guard at < end else { return nil }
    defer { at = document.tape.next(at) }
    return JSONNode(document: document, index: at)
  }
}
