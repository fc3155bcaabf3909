import AggregateCore

/// The state of one aggregate for all groups, in arrays indexed by group.
protocol GroupState: AnyObject {
  /// Adds each row of `operand` to the group that `groups` names for it.
  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int)
  /// The value of each group.
  func finish(groupCount: Int) -> Column
}

extension Array {
  /// Makes room for `count` groups.
  mutating func grow(to count: Int, _ element: Element) {
    if self.count < count {
      append(contentsOf: repeatElement(element, count: count - self.count))
    }
  }

  /// `count` elements, the missing ones being `element`.
  func filled(to count: Int, _ element: Element) -> [Element] {
    var copy = self
    copy.grow(to: count, element)
    return copy
  }
}
