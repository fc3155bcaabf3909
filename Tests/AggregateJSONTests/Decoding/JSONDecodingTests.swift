import AggregateCore
import AggregateJSON
import AggregateTestSupport
import Foundation
import Testing

@Suite struct JSONDecodingTests {
  static func decode<T: Decodable>(_ type: T.Type = T.self, _ text: String) throws -> T {
    try JSONDecoding.decode(T.self, from: try JSONDocument(text).root)
  }

  static func message<T: Decodable>(_ type: T.Type, _ text: String) -> String? {
    do {
      _ = try decode(type, text)
      return nil
    } catch {
      guard let error = error as? AggregateError, error.code == .badData else { return "\(error)" }
      return error.description
    }
  }

  struct Item: Decodable, Equatable {
    var id: Int
    var name: String
    var price: Double?
    var tags: [String]
    var nested: [String: [Int?]]?

    enum CodingKeys: String, CodingKey {
      case id, name, price, tags
      case nested = "the nested"
    }
  }

  @Test func structsListsAndDictionariesAreRead() throws {
    let item = try Self.decode(
      Item.self,
      #"{"x":1e400,"y":"\ud800","id":7,"name":"a\u00e9","price":null,"tags":["p","q"],"the nested":{"k":[1,null,3.0]}}"#
    )
    #expect(
      item == Item(id: 7, name: "aé", price: nil, tags: ["p", "q"], nested: ["k": [1, nil, 3]]))
  }

  @Test func wholeNumbersComeFromAnyExactForm() throws {
    #expect(try Self.decode([Int].self, "[12, 12.0, 1.2e1, -0]") == [12, 12, 12, 0])
    #expect(try Self.decode([UInt64].self, "[18446744073709551615]") == [.max])
    #expect(try Self.decode([Int64].self, "[9007199254740993]") == [9_007_199_254_740_993])
    #expect(try Self.decode([Int8].self, "[-128]") == [-128])
    #expect(Self.message([Int8].self, "[128]")?.contains("from -128 to 127") == true)
    #expect(Self.message([Int].self, "[1.5]")?.contains("$[0]: expected a whole number") == true)
    #expect(Self.message([UInt].self, "[-1]")?.contains("but found the number -1") == true)
    #expect(Self.message([Double].self, "[1e400]")?.contains("1e400") == true)
    #expect(Self.message([Int].self, "[true]")?.contains("but found true") == true)
    #expect(Self.message([Bool].self, "[1]")?.contains("expected true or false") == true)
  }

  @Test func theLastDuplicateWinsAndKeysMatchExactly() throws {
    #expect(try Self.decode([String: Int].self, #"{"a":1,"b":2,"a":3}"#) == ["a": 3, "b": 2])
    struct Cased: Decodable { var Name: Int? }
    #expect(try Self.decode(Cased.self, #"{"name":1}"#).Name == nil)
    struct One: Decodable { var a: Int }
    #expect(try Self.decode(One.self, #"{"a":1,"\u0061":2}"#).a == 2)
  }

  struct Page: Decodable { var items: [Item] }

  @Test(arguments: [
    (
      #"{"items":[{"id":1,"name":"a","tags":[]},{"id":1,"name":5,"tags":[]}]}"#,
      "$.items[1].name: expected text, but found the number 5"
    ),
    (
      #"{"items":[{"id":1,"name":"a","tags":["x",null]}]}"#,
      "$.items[0].tags[1]: expected text, but found null"
    ),
    (
      #"{"items":[{"id":1,"name":"a","tags":{}}]}"#,
      "$.items[0].tags: expected a list, but found an object with 0 members"
    ),
    (
      #"{"items":[{"id":1,"nam":"a","tags":[]}]}"#,
      "$.items[0]: the member “name” is missing, but “nam” is there"
    ),
    (
      #"{"items":[{"id":1,"name":"a","tags":[],"the nested":{"a b":[true]}}]}"#,
      "$.items[0]['the nested']['a b'][0]: expected a whole number, but found true"
    ),
    (#"{"error":"quota"}"#, "$: the member “items” is missing (found: error)"),
    ("[1,2]", "$: expected an object, but found a list with 2 elements"),
  ])
  func errorsSayPathExpectedAndFound(text: String, words: String) {
    #expect(Self.message(Page.self, text) == words)
  }

  @Test func errorsOfTypesThatDecodeThemselvesHaveAPath() {
    enum Kind: String, Decodable { case one, two }
    #expect(Self.message([Kind].self, #"["one","three"]"#)?.hasPrefix("$[1]: ") == true)
  }

  @Test func largeObjectsAreNotQuadratic() throws {
    let text = "{" + (0..<50_000).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}"
    let time = try ContinuousClock().measure {
      let values = try Self.decode([String: Int].self, text)
      #expect(values.count == 50_000)
      #expect(values["key49999"] == 49_999)
    }
    #expect(time < .seconds(20))
  }

  struct Tree: Decodable { var c: [Tree] }

  @Test func theDeepestDocumentDecodesRecursively() throws {
    let depth = JSONDocument.maximumDepth / 2
    let text = String(repeating: #"{"c":["#, count: depth) + String(repeating: "]}", count: depth)
    #expect(try Self.decode(Tree.self, text).c.count == 1)
  }

  final class Base: Decodable {
    let a: Int
    let rest: JSONNode
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      a = try container.decode(Int.self, forKey: .a)
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      #expect(list.count == 2)
      #expect(list.codingPath.map(\.stringValue) == ["list"])
      let inner = try list.nestedContainer(keyedBy: Keys.self)
      #expect(inner.allKeys == [.a])
      rest = try list.decode(JSONNode.self)
      #expect(list.isAtEnd)
    }
    enum Keys: CodingKey { case a, list }
  }

  @Test func nestedContainersAndNodesAreRead() throws {
    let base = try Self.decode(Base.self, #"{"a":1,"list":[{"a":2,"z":3},{"k":[1.10]}]}"#)
    #expect(base.a == 1)
    #expect(base.rest["k"]?[0]?.numberText == "1.10")
    #expect(base.rest["k"]?[0]?.path == "$.list[1].k[0]")
  }

  struct Pokemon: Decodable {
    struct Named: Decodable { var name: String }
    struct Slot: Decodable { var slot: Int; var type: Named }
    struct Stat: Decodable { var base_stat: Int; var stat: Named }
    var id: Int
    var name: String
    var height: Int
    var weight: Int
    var base_experience: Int?
    var types: [Slot]
    var stats: [Stat]
  }

  @Test(.corpus("pokeapi/pokemon"))
  func realDocumentsDecode() throws {
    var count = 0
    for file in try Corpus.files("pokeapi/pokemon") where file.pathExtension == "json" {
      let buffer = ByteBuffer(try Corpus.bytes("pokeapi/pokemon/\(file.lastPathComponent)"))
      let pokemon = try JSONDecoding.decode(
        Pokemon.self, from: try JSONDocument(parsing: buffer).root)
      #expect(pokemon.stats.count == 6)
      #expect(!pokemon.types.isEmpty)
      count += 1
    }
    #expect(count > 100)
  }
}
