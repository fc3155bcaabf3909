import AggregateRegex
import Testing

@Suite struct InteroperableRegexTests {
  @Test(arguments: [
    ("a.c", "abc", true), ("a.c", "a\nc", false), ("a.c", "a\rc", false),
    ("a.c", "a\u{2028}c", true),
    ("[a-c]+", "abcabc", true), ("[^a-c]", "d", true), ("[-a]", "-", true), ("[a-]", "-", true),
    ("a{2,3}", "aa", true), ("a{2,3}", "aaaa", false), ("a{2}", "aa", true),
    ("a{2,}", "aaaaa", true),
    ("\\p{Lu}", "Ж", true), ("\\P{Lu}", "ж", true), ("\\p{Nd}", "1", true),
    ("[\\p{L}0]", "é", true),
    ("(ab|c)*", "abcab", true), ("^ab$", "ab", true), ("a\\$b\\^", "a$b^", true),
    ("\\.\\*", ".*", true), ("", "", true),
    ("a|", "", true), ("\\n", "\n", true), ("/#~&", "/#~&", true), ("[\\]]", "]", true),
    ("a b", "a b", true), ("\u{1}", "\u{1}", true), ("[$^.]", ".", true), ("\\p{C}", "\u{7}", true),
    ("[^\\n]", "x", true),
  ])
  func matchesTheWhole(pattern: String, text: String, expected: Bool) throws {
    let regex = try #require(InteroperableRegex.compiled(pattern), "\(pattern)")
    #expect(regex.matches(text, anchored: true) == expected)
  }

  @Test(arguments: [
    "\\d", "\\w+", "(?:a)", "a*?", "a++", "a{,2}", "a{3,2}", "[", "]", "(", ")", "*", "[]", "[b-a]",
    "\\1", "\\p{Greek}", "a{", "}", "\\", "[[:alpha:]]", "(?i)a", "[a-b-c]",
  ])
  func whatIsNotInteroperableIsRefused(pattern: String) {
    #expect(InteroperableRegex.translated(pattern) == nil)
  }

  @Test func hostileNestingIsRefused() {
    let deep = String(repeating: "(", count: 100_000) + String(repeating: ")", count: 100_000)
    #expect(InteroperableRegex.translated(deep) == nil)
  }
}
