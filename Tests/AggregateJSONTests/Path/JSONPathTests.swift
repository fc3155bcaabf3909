import AggregateCore
import AggregateJSON
import AggregateTestSupport
import Foundation
import Testing

@Suite struct JSONPathTests {
  static func found(_ path: String, in text: String) throws -> [String] {
    let root = try JSONDocument(text).root
    return try JSONPath(parsing: path).nodes(in: root).map(\.minified)
  }

  @Test(arguments: [
    ("$", "[1]", ["[1]"]),
    ("$.a.b", #"{"a":{"b":1}}"#, ["1"]),
    ("$['a']['b c']", #"{"a":{"b c":1}}"#, ["1"]),
    ("$[-1]", "[1,2,3]", ["3"]),
    ("$[1:]", "[1,2,3]", ["2", "3"]),
    ("$[::-1]", "[1,2,3]", ["3", "2", "1"]),
    ("$[5:0:-2]", "[0,1,2,3,4,5,6]", ["5", "3", "1"]),
    ("$[0,0,1]", "[1,2]", ["1", "1", "2"]),
    ("$..a", #"{"a":1,"b":[{"a":2},{"a":{"a":3}}]}"#, ["1", "2", #"{"a":3}"#, "3"]),
    ("$..*", "[[1],2]", ["[1]", "2", "1"]),
    ("$[?@.a]", #"[{"a":null},{"b":1}]"#, [#"{"a":null}"#]),
    (
      "$[?@.a == 1.0]", #"[{"a":1},{"a":1.0},{"a":10e-1},{"a":"1"}]"#,
      [#"{"a":1}"#, #"{"a":1.0}"#, #"{"a":10e-1}"#]
    ),
    ("$[?@ == 9007199254740993]", "[9007199254740992,9007199254740993]", ["9007199254740993"]),
    ("$[?@ > 1e300]", "[1,1e400]", ["1e400"]),
    ("$[?@.a != $.x]", #"{"x":1,"y":{"a":1},"z":{"a":2}}"#, ["1", #"{"a":2}"#]),
    ("$[?@ == 'é']", "[\"é\",\"e\u{301}\"]", ["\"é\""]),
    ("$[?length(@) > 1 && !(@ == 'bb')]", #"["a","bb","ccc"]"#, [#""ccc""#]),
    ("$[?match(@, 'a.c')]", #"["abc","abcd"]"#, [#""abc""#]),
    ("$[?search(@, 'b|x')]", #"["abc","d",1]"#, [#""abc""#]),
    ("$[?count(@.*) == 2]", "[[1],[1,2]]", ["[1,2]"]),
    ("$[?value(@..a) == 1]", #"[{"a":1},{"a":1,"b":{"a":2}}]"#, [#"{"a":1}"#]),
    (
      "$[?@.a == @.b]", #"[{"a":[1,{"x":1,"y":2}],"b":[1,{"y":2,"x":1}]},{"a":1}]"#,
      [#"{"a":[1,{"x":1,"y":2}],"b":[1,{"y":2,"x":1}]}"#]
    ),
    ("$.日本", #"{"日本":1}"#, ["1"]),
    ("$ .a [0]", #"{"a":[1]}"#, ["1"]),
    ("$['\\u0061']", #"{"a":1}"#, ["1"]),
    ("$.a", #"{"a":1,"a":2}"#, ["2"]),
  ])
  func findsTheNodes(path: String, text: String, expected: [String]) throws {
    #expect(try Self.found(path, in: text) == expected)
  }

  @Test(
    arguments: [
      ("items", 0, "did you mean $.items?"), (".items", 0, "did you mean $.items?"),
      ("[0].a", 0, "did you mean $[0].a?"), ("items[*].name", 0, "did you mean $.items[*].name?"),
      ("/a/b", 0, "did you mean $.a.b?"), ("@.a", 0, "did you mean $.a?"),
      ("a b", 0, "did you mean $['a b']?"),
      ("", 0, "whole document"), ("$.", 2, "quote"), ("$.items[?", 9, "price"),
      ("$.items[", 8, "]"),
      ("$.a-b", 3, "['a-b']"), ("$[a]", 2, "['name']"), ("$.0", 2, "[0]"),
      ("$[01]", 2, "leading zeros"),
      ("$[?@.a = 1]", 7, "=="), ("$[?lenght(@) > 1]", 3, "length"), ("$[?@.* == 1]", 3, "count"),
      ("$[?length(@)]", 3, "> 1"), ("$[?match(@.a,'x') == true]", 3, "alone"), ("$ ", 1, nil),
      ("$['a", 2, "'"), ("$[?(@.a]", 7, nil), ("$[?name == 1]", 3, "@.name"),
      ("$[(@.length-1)]", 2, "?@"),
      ("$[?!@.a == 1]", 4, "!("), ("$[9007199254740992]", 2, "9007199254740991"), ("$a", 1, "."),
    ] as [(String, Int, String?)])
  func mistakesHavePlaceAndHint(text: String, offset: Int, hint: String?) throws {
    let mistake = try #require(JSONPath.mistake(in: text), "\(text) was accepted")
    #expect(mistake.offset == offset, "\(mistake)")
    if let hint { #expect(mistake.hint?.contains(hint) == true, "\(mistake)") }
  }

  @Test func singularPathsTellTheirElements() throws {
    #expect(try JSONPath(parsing: "$").singularElements == [])
    #expect(try JSONPath(parsing: "$.user['login'][0]").singularElements == ["user", "login", "0"])
    #expect(try JSONPath(parsing: "$.a[-1]").singularElements == nil)
    #expect(try JSONPath(parsing: "$.a[-1]").isSingular)
    #expect(try JSONPath(parsing: "$.a[*]").singularElements == nil)
    #expect(try JSONPath(parsing: "$..a").isSingular == false)
    #expect(try JSONPath(parsing: "$['a','b']").isSingular == false)
  }

  @Test(arguments: [
    "$.a[1].b", "$.a[-1].b", "$.a[0].x", "$.a.b", "$[0]", "$.a[7]", "$.a[-7]", "$.a[*].b",
  ])
  func theFirstNodeIsTheFirstOfAll(path: String) throws {
    let root = try JSONDocument(#"{"a":[{"b":1},{"b":2}]}"#).root
    let path = try JSONPath(parsing: path)
    #expect(path.firstNode(in: root)?.rawText == path.nodes(in: root).first?.rawText)
  }

  @Test func theRootOfAPartIsThePart() throws {
    let root = try JSONDocument(#"{"x":1,"a":{"x":2,"l":[{"v":2},{"v":1}]}}"#).root
    let part = try #require(root["a"])
    #expect(
      try JSONPath(parsing: "$.l[?@.v == $.x]").nodes(in: part).map(\.minified) == [#"{"v":2}"#])
  }

  @Test func hostileNestingIsRefused() {
    let deep = "$[?" + String(repeating: "(", count: 100_000)
    #expect(JSONPath.mistake(in: deep)?.message.contains("nest deeper") == true)
    let calls = "$[?" + String(repeating: "length(", count: 100_000)
    #expect(JSONPath.mistake(in: calls)?.message.contains("nest deeper") == true)
    let filters = String(repeating: "$[?", count: 100_000)
    #expect(JSONPath.mistake(in: filters)?.message.contains("nest deeper") == true)
  }

  @Test(.corpus("jsonpath/cts.json"))
  func theComplianceSuitePasses() throws {
    let suite = try JSONDocument(parsing: ByteBuffer(try Corpus.bytes("jsonpath/cts.json"))).root
    let tests = try #require(suite["tests"])
    var passed = 0
    for test in tests.elements {
      let name = test["name"]?.string ?? "?"
      let selector = try #require(test["selector"]?.string)
      if test["invalid_selector"]?.bool == true {
        if JSONPath.mistake(in: selector) != nil {
          passed += 1
        } else {
          Issue.record("\(name): \(selector) was accepted")
        }
        continue
      }
      let path: JSONPath
      do throws(JSONPathError) {
        path = try JSONPath(parsing: selector)
      } catch {
        Issue.record("\(name): \(selector): \(error)")
        continue
      }
      let found = path.nodes(in: try #require(test["document"])).map(\.minified)
      let valid =
        test["results"].map { $0.elements.map { $0.elements.map(\.minified) } }
        ?? [test["result"].map { $0.elements.map(\.minified) } ?? []]
      if valid.contains(found) {
        passed += 1
      } else {
        Issue.record("\(name): \(selector) gave \(found), not \(valid)")
      }
    }
    #expect(passed == tests.count)
    #expect(passed > 500)
  }
}
