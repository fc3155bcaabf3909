/// What was done about a feed that is not well-formed; see ``FeedRows/report(_:to:)``.
public struct FeedRepairs: Sendable, Hashable {
  /// Where and why the document is not well-formed.
  public var reason = ""
  /// How many elements of the feed end where the next begins, for want of an end tag.
  public var closedElements = 0
  /// How many tags were left out because they are nested too deep.
  public var droppedTags = 0
  /// Whether the document ends before its outermost element does.
  public var isCutOff = false
  /// Whether the parser gave up, so that the end of the document may be missing.
  public var isUnread = false

  /// Creates repairs of nothing.
  public init() {}

  /// Whether anything was done that may change what is read.
  public var isEmpty: Bool { closedElements == 0 && !hasLosses }

  /// Whether something that was sent, or should have been, is missing.
  public var hasLosses: Bool { droppedTags > 0 || isCutOff || isUnread }

  /// What was done, in words.
  public var summary: String {
    var parts: [String] = []
    if closedElements > 0 {
      let (elements, ends) = closedElements == 1 ? ("element", "ends") : ("elements", "end")
      parts.append("\(closedElements) \(elements) without an end tag \(ends) where the next begins")
    }
    if droppedTags > 0 {
      parts.append(
        "\(droppedTags) tags nested more than \(XMLMender.maximumDepth) deep are left out")
    }
    if isCutOff { parts.append("it is cut off: what comes last may be incomplete") }
    if isUnread { parts.append("the parser gave up, and what comes last may be missing") }
    return "\(reason); \(parts.joined(separator: "; "))"
  }
}
