import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateConfig

/// A short text form of a tree: quoted scalars in quotes, plain ones as they are.
func shape(_ node: Node) -> String {
  switch node.content {
  case .scalar(let scalar): scalar.isPlain ? scalar.text : "'\(scalar.text)'"
  case .sequence(let nodes): "[\(nodes.map(shape).joined(separator: ","))]"
  case .mapping(let entries):
    "{\(entries.map { "\($0.key):\(shape($0.value))" }.joined(separator: ","))}"
  }
}

func parsed(_ text: String) -> (Node?, [Diagnostic]) {
  var diagnostics = Diagnostics()
  let node = YAMLParser.parse(Array(text.utf8), file: "f.yaml", into: &diagnostics)
  return (node, diagnostics.all)
}

@Suite struct YAMLParserTests {
  @Test(arguments: [
    ("a: no", "{a:no}"), ("a: 'no'", "{a:'no'}"),
    ("a: 012\nb: 1_000\nc: 12:30", "{a:012,b:1_000,c:12:30}"),
    ("", ""), ("# only a comment\n", ""), ("a:\n", "{a:}"), ("[1, \"2\"]", "[1,'2']"),
    ("a: |\n  x\n  y\n", "{a:'x\ny\n'}"), ("a: >-\n  x\n  y\n", "{a:'x y'}"),
    ("a: &x {b: 1}\nc: *x", "{a:{b:1},c:{b:1}}"),
    ("a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}", "{a:{b:1,c:2},d:{c:3,b:1}}"),
    ("a: {<<: [{x: 1}, {x: 2, y: 3}], z: 0}", "{a:{z:0,x:1,y:3}}"), ("'<<': 1", "{<<:1}"),
    ("a: !!str 5", "{a:'5'}"), ("a: ! 5", "{a:'5'}"), ("\u{FEFF}a: 1", "{a:1}"),
    ("a: 1\r\nb: 2\r\n", "{a:1,b:2}"),
    ("a:\t1", "{a:1}"), ("a: b # c\n", "{a:b}"), ("a: b#c", "{a:b#c}"),
  ])
  func textBecomesTree(_ text: String, _ wanted: String) {
    let (node, diagnostics) = parsed(text)
    #expect(diagnostics.map(\.rendered) == [])
    #expect(node.map(shape) == wanted)
  }

  @Test func placesAreCountedInCharacters() throws {
    let (node, _) = parsed("é: {ü: 1,\r\n  ö: [x]}\r\n")
    let inner = try #require(node?.mapping?.first)
    #expect(inner.location.line == 1 && inner.location.column == 1)
    let second = try #require(inner.value.mapping?.last)
    #expect(
      second.location == SourceLocation(file: "f.yaml", line: 2, column: 3, text: "  ö: [x]}"))
    #expect(second.value.sequence?.first?.location.column == 7)
  }

  @Test(arguments: [
    ("a: 1\nb: 2\na: 3", 3, 1, "given twice"), ("a: 1\n---\nb: 2", 2, 1, "second document"),
    ("a: *b", 1, 4, "no anchor"), ("a: &a [*a]", 1, 8, "inside of what it means"),
    ("a: !include x", 1, 4, "tag"), ("{a: 1}: 2", 1, 1, "a key must be a word"),
    ("<<: 1", 1, 5, "takes a mapping"),
    ("sources:\n  items: {provider: rest\n", 2, 10, "not valid YAML"),
    ("a: \"open\nb: 1\n", 1, 4, "is not closed"), ("a:\n\tb: 1", 2, 1, "tab"),
    ("a: @x", 1, 4, "must be quoted"), ("a: b: c", 1, 5, "must be quoted"),
  ])
  func mistakesHaveTheirPlace(_ text: String, _ line: Int, _ column: Int, _ words: String) throws {
    let (node, diagnostics) = parsed(text)
    #expect(node == nil)
    let first = try #require(diagnostics.first)
    #expect(first.location?.line == line)
    #expect(first.location?.column == column)
    #expect(first.rendered.contains(words), "\(first.rendered)")
  }

  @Test(arguments: [
    ("a: { path: $.results[*] }", "$.results[*]"), ("a: {path: $.x[?@.y], type: int}", "$.x[?@.y]"),
    ("a: { bearer: ${TOKEN} }", "${TOKEN}"), ("url: {base}/x", "{base}/x"),
    ("a: [$.a[0], $.b[0]]", "$.a[0]"), ("a: {p: $[*]}", "$[*]"),
  ])
  func unquotedPathsAndTemplatesAreNamed(_ text: String, _ value: String) throws {
    let (_, diagnostics) = parsed(text)
    let hint = try #require(diagnostics.first?.hint)
    #expect(hint.contains("quote") && hint.contains(value), "\(hint)")
  }

  @Test(.timeLimit(.minutes(1))) func aliasBombsEndQuickly() {
    var text = "x0: &x0 [a, a, a, a, a, a, a, a, a, a]\n"
    for i in 1...8 {
      text +=
        "x\(i): &x\(i) [\(Array(repeating: "*x\(i - 1)", count: 10).joined(separator: ", "))]\n"
    }
    let (node, diagnostics) = parsed(text)
    #expect(node == nil)
    #expect(diagnostics.first?.code == "yaml-size")
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["[", "{a: ", "- ", "? "])
  func deepNestingIsAMistake(_ opening: String) {
    let (node, diagnostics) = parsed(String(repeating: opening, count: 100_000))
    #expect(node == nil)
    #expect(!diagnostics.isEmpty)
  }

  @Test(
    arguments: [[0xFF, 0xFE, 0x00], [0x61, 0x3A, 0x20, 0xC3, 0x28], [0x61, 0x00, 0x62], [0x80]]
      as [[UInt8]])
  func bytesThatAreNoTextAreAMistake(_ bytes: [UInt8]) {
    var diagnostics = Diagnostics()
    #expect(YAMLParser.parse(bytes, file: "f.yaml", into: &diagnostics) == nil)
    #expect(diagnostics.hasErrors)
  }

  @Test(.corpus("yaml"))
  func corpusIsReadAsLibyamlDoes() throws {
    let corpus = try #require(SharedCorpus.folder("yaml"))
    let table = try String(
      contentsOf: corpus.appending(path: "libyaml.tsv"), encoding: .utf8)
    var read = 0
    for line in table.split(separator: "\n").dropFirst() {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      let path = corpus.appending(path: "yaml-test-suite/\(cells[0])/in.yaml")
      guard let data = try? Data(contentsOf: path) else { continue }
      read += 1
      var diagnostics = Diagnostics()
      let node = YAMLParser.parse(Array(data), file: "in.yaml", into: &diagnostics)
      #expect((node == nil) == diagnostics.hasErrors, "\(cells[0])")
      if cells[2] == "error" { #expect(node == nil, "\(cells[0])") }
      // What libyaml reads and this does not is refused by a rule of its own.
      if cells[2] == "ok", node == nil {
        let own = ["yaml-documents", "yaml-key", "yaml-tag", "duplicate-key", "yaml-merge"]
        #expect(
          diagnostics.all.allSatisfy { own.contains($0.code) }, "\(cells[0]): \(diagnostics.all)")
      }
    }
    #expect(read > 300)
  }

  @Test(.corpus("yaml"))
  func cutAndChangedFilesNeverCrash() throws {
    let folder = try #require(SharedCorpus.folder("yaml/real-world"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.count > 10)
    for name in names {
      let bytes = Array(try Data(contentsOf: folder.appendingPathComponent(name)).prefix(3000))
      for step in stride(from: 1, to: bytes.count, by: 97) {
        var diagnostics = Diagnostics()
        _ = YAMLParser.parse(Array(bytes[..<step]), file: name, into: &diagnostics)
        var changed = bytes
        changed[step] = UInt8(truncatingIfNeeded: step &* 31)
        _ = YAMLParser.parse(changed, file: name, into: &diagnostics)
        _ = diagnostics.sorted.map(\.rendered)
      }
    }
  }
}
