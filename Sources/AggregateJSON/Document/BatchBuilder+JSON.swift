public import AggregateCore

extension BatchBuilder {
  /// Appends a node as it stands in its document; nil is a field that the record does not have.
  public mutating func append(_ node: JSONNode?) {
    guard let node else { return append(Value.absent) }
    append(node.cell, of: node.document.buffer)
  }
}
