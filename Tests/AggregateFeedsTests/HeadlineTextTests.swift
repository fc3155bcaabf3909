import AggregateFeeds
import Testing

struct HeadlineTextTests {
  @Test(
    arguments: [
      ("Tom &amp; Jerry&#39;s <b>Bold</b> day", "Tom & Jerry's Bold day"),
      ("5 < 6 and AT&T is > 4", "5 < 6 and AT&T is > 4"), (" a\n b ", "a b"), ("&amp;lt;", "&lt;"),
      ("", ""), ("<b></b>", ""),
    ])
  func onlyHTMLIsReadAsHTML(_ text: String, plain: String) {
    #expect(HeadlineText.plain(text) == plain)
  }
}
