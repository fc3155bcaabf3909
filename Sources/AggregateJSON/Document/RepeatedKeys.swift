internal import AggregateCore

/// Finds an object that has a member twice.
///
/// Objects whose keys are those of the one before, in the same order, cost one comparison per key.
public struct RepeatedKeys: Sendable {
  private let names: [String]

  /// Looks for repetitions of these keys only; others do no harm.
  public init(of names: [String]) { self.names = names }

  /// The first of the keys that one of the objects has more than once; nil when none has.
  public func first(in objects: some Sequence<JSONNode>) -> String? {
    if names.isEmpty { return nil }
    var known: JSONNode?
    for object in objects where object.kind == .object {
      if let known, object.hasKeys(of: known) { continue }
      for name in names where object.members.count(where: { $0.key.isText(name) }) > 1 {
        return name
      }
      known = object
    }
    return nil
  }
}

extension JSONNode {
  /// Whether both are objects of one document that have the same keys as they stand there, in order.
  fileprivate func hasKeys(of other: JSONNode) -> Bool {
    guard document === other.document, count == other.count else { return false }
    return document.buffer.withUnsafeBytes { bytes in
      var mine = members
      var others = other.members
      while let one = mine.next(), let two = others.next() {
        let known = UnsafeRawBufferPointer(rebasing: bytes[two.key.range])
        if !bytes.has(known, in: one.key.range) { return false }
      }
      return true
    }
  }

  /// Whether it is this text.
  fileprivate func isText(_ text: String) -> Bool {
    if kind == .text, range.count != text.utf8.count { return false }
    return string == text
  }
}
