import AggregateCore
import Testing

@Suite struct LinkHeaderTests {
  @Test(arguments: [
    ("<http://a/2>; rel=\"next\"", "http://a/2"),
    ("<http://a/1>; rel=\"first\", <http://a/2>;rel=next", "http://a/2"),
    ("<http://a/2>; title=\"a, <b>; rel=prev\"; rel=\"next\"; type=\"x/y\"", "http://a/2"),
    ("<http://a/2>; rel=\"up next down\"", "http://a/2"),
    ("<http://a/2>; REL=\"NEXT\"", "http://a/2"),
    ("<http://a/1>; rel=prev", nil), ("<http://a/2>", nil), ("", nil),
    ("http://a/2; rel=next", nil),
    ("<http://a/2>; rel=\"prev\"; rel=\"next\"", nil), ("<http://a/2; rel=next", nil),
    (" , <a>;rel=x,, <?page=2>; title=\"q\\\"; rel=no\"; rel=next", "?page=2"),
    ("<a,b>; rel=next", "a,b"), ("<a>; rel=\"next", "a"), ("<a>;;rel=next", "a"),
    ("<a>; rel = next", "a"),
  ])
  func targetsAreFound(_ header: String, _ wanted: String?) {
    #expect(LinkHeader.target(of: "next", in: header) == wanted)
  }

  @Test func anyTextEnds() {
    let header = Array("<http://a/2>; title=\"a\\\"\"; rel=\"next\", <b>;rel=x")
    for start in header.indices {
      for end in start...header.count {
        _ = LinkHeader.target(of: "next", in: String(header[start..<end]))
      }
    }
  }
}
