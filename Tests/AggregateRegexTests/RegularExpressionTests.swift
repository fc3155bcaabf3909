import AggregateRegex
import Testing

@Suite struct RegularExpressionTests {
  @Test func matchesAnywhereOrTheWhole() throws {
    let regex = try RegularExpression("b+")
    #expect(regex.matches("abba"))
    #expect(!regex.matches("abba", anchored: true))
    #expect(regex.matches("bbb", anchored: true))
    #expect(!regex.matches(""))
    #expect(try RegularExpression("").matches("", anchored: true))
  }

  @Test func groupsHaveRangesInBytes() throws {
    let regex = try RegularExpression("(é)(x)?(?P<rest>.)")
    #expect(regex.groupCount == 3)
    let text = Array("aéb".utf8)
    let found = text.withUnsafeBytes { regex.firstMatch(in: $0) }
    #expect(found == [1..<4, 1..<3, nil, 3..<4])
    #expect(regex.firstMatch(in: "aéb") == ["éb", "é", nil, "b"])
    #expect(text.withUnsafeBytes { regex.firstMatch(in: $0, from: 2) } == nil)
    #expect(text.withUnsafeBytes { regex.firstMatch(in: $0, from: 9) } == nil)
  }

  @Test func oneGroupIsFoundWithoutTheOthers() throws {
    let regex = try RegularExpression("(a)|(b)(c)")
    let text = Array("xbca".utf8)
    text.withUnsafeBytes { bytes in
      #expect(regex.range(ofGroup: 0, in: bytes) == 1..<3)
      #expect(regex.range(ofGroup: 1, in: bytes) == nil)
      #expect(regex.range(ofGroup: 3, in: bytes) == 2..<3)
      #expect(regex.range(ofGroup: 1, in: bytes, from: 2) == 3..<4)
      #expect(regex.range(ofGroup: 4, in: bytes) == nil)
      #expect(regex.range(ofGroup: 0, in: bytes, anchored: true) == nil)
      for group in 0...3 {
        #expect(regex.range(ofGroup: group, in: bytes) == regex.firstMatch(in: bytes)?[group])
      }
    }
  }

  @Test func optionsChangeTheMeaning() throws {
    #expect(!(try RegularExpression("ÄB").matches("äb")))
    #expect(try RegularExpression("ÄB", options: .ignoreCase).matches("äb"))
    #expect(!(try RegularExpression("a.b").matches("a\nb")))
    #expect(try RegularExpression("a.b", options: .dotMatchesNewline).matches("a\nb"))
    #expect(!(try RegularExpression("^b$").matches("a\nb\nc")))
    #expect(try RegularExpression("^b$", options: .multiLine).matches("a\nb\nc"))
  }

  @Test func replacesFirstOrAll() throws {
    let regex = try RegularExpression("(\\w)(\\d)")
    #expect(regex.replacing("a1 b2", with: "\\2\\1") == "1a 2b")
    #expect(regex.replacing("a1 b2", with: "<\\0>", all: false) == "<a1> b2")
    #expect(regex.replacing("none", with: "x") == "none")
    #expect(Array("none".utf8).withUnsafeBytes { regex.replacing($0, with: "x") } == nil)
    #expect(try RegularExpression("x*").replacing("axb", with: "-") == "-a-b-")
    #expect(try RegularExpression("b").replacing("b", with: "") == "")
  }

  @Test(arguments: ["\\3", "\\", "\\x"])
  func wrongTemplatesAreToldBefore(template: String) throws {
    let regex = try RegularExpression("(a)(b)")
    #expect(throws: RegularExpressionError.self) { try regex.checkTemplate(template) }
  }

  @Test(arguments: ["\\2-\\1", "\\0", "\\\\", "", "$1"])
  func rightTemplatesPass(template: String) throws {
    try RegularExpression("(a)(b)").checkTemplate(template)
  }

  @Test(arguments: [
    ("a(b", "parenthesis"), ("a)b", "without its"), ("[a", "bracket"), ("*a", "nothing before"),
    ("a**", "repeats a repetition"), ("a\\", "single backslash"), ("(?=a)", "not supported"),
    ("(a)\\1", "escape sequence"),
    ("a{1001}", "repetition"), ("[b-a]", "class"), ("\\p{Nope}", "class"),
  ])
  func errorsSayWhatIsWrong(pattern: String, words: String) {
    let error = #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.pattern == pattern)
  }

  @Test func timeIsLinear() throws {
    let regex = try RegularExpression("(a*)*b")
    let text = String(repeating: "a", count: 100_000)
    let time = ContinuousClock().measure { #expect(!regex.matches(text)) }
    #expect(time < .seconds(5))
  }

  @Test func bytesThatAreNotTextDoNoHarm() throws {
    let regex = try RegularExpression("b")
    #expect(
      [0xFF, 0x00, 0x62].map(UInt8.init).withUnsafeBytes { regex.firstMatch(in: $0) } == [2..<3])
  }
}
