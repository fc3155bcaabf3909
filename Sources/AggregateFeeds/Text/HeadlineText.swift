/// Headlines of which nobody says whether they are HTML.
public enum HeadlineText {
  /// A headline as plain text on one line.
  ///
  /// It is taken for HTML when it has a known element or a character reference.
  public static func plain(_ text: String) -> String {
    HTMLMarkup.isLikely(text) ? HTMLMarkup.plainText(text) : HTMLMarkup.collapsed(text)
  }
}
