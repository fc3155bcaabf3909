public import AggregateFormats

/// The formats whose documents are read whole: feeds and XML.
public enum DocumentFormats {
  /// All of them, in the order in which they are listed.
  public static let all = [FeedFormat.spec, XMLFormat.spec]

  /// All formats of the program: those of AggregateFormats, then these.
  public static let registry = FormatRegistry(FormatRegistry.standard + all)
}
