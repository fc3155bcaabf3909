public import AggregateCore

/// A feed of any dialect, as its readers see it.
public struct Feed: Sendable, Hashable {
  /// The name of the feed, as plain text.
  public var title: String?
  /// What it is about.
  public var description: String?
  /// The page that it belongs to.
  public var url: String?
  /// The picture of the feed.
  public var imageURL: String?
  /// The items, in document order.
  public var items: [FeedItem] = []
  /// What was done about a document that is not well-formed; nil for nothing that changes the items.
  public var repairs: FeedRepairs?

  /// Creates a feed without items.
  public init() {}
}

/// One item of a feed.
public struct FeedItem: Sendable, Hashable {
  /// The headline, as plain text.
  public var title: String?
  /// The summary, as the feed has it: HTML or plain text.
  public var description: String?
  /// Who wrote it; several are joined with `, `.
  public var author: String?
  /// The address of the page, absolute where that can be told.
  public var url: String?
  /// When it was published, else when it was changed.
  public var publishedAt: Instant?
  /// The date as written, when it could not be understood.
  public var unreadableDate: String?
  /// The address of its picture.
  public var imageURL: String?
  /// The whole text, as the feed has it: HTML or plain text.
  public var content: String?
  /// What identifies it within the feed.
  public var id: String?
  /// The categories, in order, each once.
  public var categories: [String] = []

  /// Creates an item without values.
  public init() {}
}
