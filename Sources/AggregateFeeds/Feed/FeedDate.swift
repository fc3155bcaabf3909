public import AggregateCore

/// Dates as feeds write them: RFC 822 and 2822, ISO 8601 and its profiles, asctime, and mistakes.
public enum FeedDate {
  /// The point in time that `text` means, runs of white space being one space; nil when it means none for sure.
  public static func parse(_ text: String) -> Instant? {
    InstantParser.loose(HTMLMarkup.collapsed(text))
  }
}
