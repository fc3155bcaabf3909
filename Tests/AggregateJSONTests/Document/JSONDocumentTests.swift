import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateJSON

@Suite struct JSONDocumentTests {
  static func error(_ text: String) -> AggregateError? {
    error(Array(text.utf8))
  }

  static func error(_ bytes: [UInt8]) -> AggregateError? {
    do {
      _ = try JSONDocument(parsing: ByteBuffer(bytes))
      return nil
    } catch {
      return error as? AggregateError
    }
  }

  @Test(arguments: [
    "0", "-0", "1.10", "1E5", "1e400", "123456789012345678901234567890", "true", "false", "null",
    "\"\"", "\"a\\u00e9\\uD800\"", "[]", "{}", " [ ] ", "[1,2]", "{\"a\":{}}", "[[],[[]]]",
    "\u{FEFF}{\"a\": 1}", "\"\\\\\"", "\"\\\"\"", "[\"a\" , \"b\\\\\"]", "{\"\":0}",
  ])
  func validTextsKeepTheirBytes(text: String) throws {
    let document = try JSONDocument(text)
    let trimmed = text.drop { $0 == "\u{FEFF}" }.trimmingCharacters(in: .whitespaces)
    #expect(document.root.rawText == trimmed)
  }

  @Test(arguments: [
    ("", "is empty"), ("  \n", "only white space"),
    ("<!DOCTYPE html><html>", "this is HTML, not JSON"),
    ("<?xml version=\"1.0\"?><a/>", "XML"), ("{\"a\":", "truncated"), ("[1,2", "truncated"),
    ("{\"a\"", "truncated"), ("[1,", "truncated"), ("\"abc", "in a string"), ("tru", "truncated"),
    ("{", "truncated"), ("[1 2]", "expected “,” or “]”"), ("{\"a\":1,}", "expected a key"),
    ("[1,]", "expected a JSON value"), ("{a:1}", "key in double quotes"),
    ("[01]", "not a JSON number"),
    ("[1.]", "not a JSON number"), ("[+1]", "expected a JSON value"), ("[NaN]", "“NaN”"),
    ("nul", "truncated"), ("nulll", "expected “null”"), ("[1]]", "behind the end"),
    ("{\"a\":1}{\"a\":2}", "behind the end"), ("[\"\\x\"]", "not an escape"),
    ("[\"\\u12g4\"]", "four hexadecimal"), ("[\"a\tb\"]", "a tab in a string"),
    ("{\"a\" 1}", "expected “:”"), ("[1}", "expected “,” or “]”"), ("]", "expected a JSON value"),
    ("['a']", "expected a JSON value"), ("12-", "not a JSON number"),
    ("[\"a\"\"b\"]", "expected “,”"),
    ("Internal Server Error", "“Internal”"), ("[1\u{0}]", "control character"),
    ("{\"a\"}", "expected “:”"), ("{\"a\":}", "expected a JSON value"),
    ("[,1]", "expected a JSON value"),
    ("1 2", "behind the end"), ("-", "middle of the number"), ("\"\\", "in a string"),
  ])
  func invalidTextsAreExplained(text: String, words: String) {
    let error = Self.error(text)
    #expect(error?.code == .badData)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "accepted")")
  }

  @Test func thePlaceIsToldByLineColumnAndByte() {
    #expect(
      Self.error("{\n \"é\": x}")?.message
        == "found “x”, but expected a JSON value at line 2, column 7 (byte 9)")
    #expect(
      Self.error([UInt8(ascii: "\""), 0xE9, UInt8(ascii: "\"")])?.message.contains("not UTF-8")
        == true)
    #expect(Self.error([0x1F, 0x8B, 8, 0])?.message.contains("gzip") == true)
  }

  @Test func depthIsLimitedAndDeepTextsDoNoHarm() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    let deepest = try JSONDocument(nested(JSONDocument.maximumDepth))
    #expect(deepest.root.count == 1)
    #expect(Self.error(nested(JSONDocument.maximumDepth + 1))?.message.contains("deeper") == true)
    #expect(Self.error(String(repeating: "[", count: 1_000_000))?.code == .badData)
    #expect(Self.error(String(repeating: "{\"a\":", count: 100_000))?.code == .badData)
  }

  @Test func aRangeOfABufferIsADocument() throws {
    let buffer = ByteBuffer("xx{\"a\": [10, \"b\"]}yy")
    let document = try JSONDocument(parsing: buffer, in: 2..<buffer.count - 2)
    #expect(document.root["a"]?[0]?.range == 9..<11)
    #expect(document.root["a"]?[1]?.string == "b")
    #expect(throws: AggregateError.self) {
      try JSONDocument(parsing: buffer, in: 2..<buffer.count - 1)
    }
    #expect(throws: AggregateError.self) { try JSONDocument(parsing: buffer, in: 0..<99) }
  }

  /// All texts of up to six of these pieces: the parser and the diagnosis must agree on each.
  @Test func parserAndDiagnosisAgree() throws {
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"a\"", "1", " ", "\"\\n", "\"", "null", "-", "\\",
    ]
    var texts = [""]
    for _ in 0..<4 {
      texts = texts.flatMap { text in pieces.map { text + $0 } }
      for text in texts { agree(Array(text.utf8)) }
    }
  }

  /// A document with one byte changed, removed or doubled, at every place.
  @Test func parserAndDiagnosisAgreeOnDamagedDocuments() throws {
    let text = Array(
      #"{"id": -12.5e+3, "names": ["é😀", "\u00e9\\", ""], "t": true, "n": null, "o": {"x": [{}]}}"#
        .utf8)
    for place in text.indices {
      for byte in [0, 9, 0x22, 0x2C, 0x2D, 0x30, 0x3A, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x80, 0xFF] {
        var damaged = text
        damaged[place] = UInt8(byte)
        agree(damaged)
        damaged = text
        damaged.insert(UInt8(byte), at: place)
        agree(damaged)
      }
      agree(Array(text[..<place]))
      agree(Array(text[place...]))
    }
  }

  private func agree(_ bytes: [UInt8]) {
    let buffer = ByteBuffer(bytes)
    let range = 0..<bytes.count
    let parses = (try? JSONTape(buffer, range)) != nil
    let finding = JSONDiagnosis.finding(in: buffer, range)
    #expect(
      parses == (finding == nil),
      "\(String(decoding: bytes, as: UTF8.self)): \(finding?.message ?? "")")
    #expect(finding.map { (0...bytes.count).contains($0.position) } ?? true)
  }

  @Test(.corpus("json/JSONTestSuite/test_parsing"))
  func theTestSuiteIsJudgedRight() throws {
    var judged = 0
    for file in try Corpus.files("json/JSONTestSuite/test_parsing") {
      let name = file.lastPathComponent
      let error = Self.error(Array(try Data(contentsOf: file)))
      if name.hasPrefix("y_") { #expect(error == nil, "\(name): \(error?.message ?? "")") }
      if name.hasPrefix("n_") {
        #expect(error?.code == .badData, "\(name)")
        #expect(
          error?.message.contains("byte ") == true || error?.message.contains("empty") == true,
          "\(name): \(error?.message ?? "")")
      }
      judged += 1
    }
    #expect(judged > 100)
  }

  @Test(.corpus("json/nativejson/roundtrip"))
  func roundTripsKeepEveryByte() throws {
    let files = try Corpus.files("json/nativejson/roundtrip")
    #expect(files.count > 15)
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(
        try JSONDocument(text).root.minified == text.trimmingCharacters(in: .whitespacesAndNewlines)
      )
    }
  }

  /// Two of the old files that must fail are valid by RFC 8259: a text at the top, and twenty levels.
  @Test(.corpus("json/nativejson/jsonchecker"))
  func theCheckerFilesAreJudgedRight() throws {
    let files = try Corpus.files("json/nativejson/jsonchecker")
    #expect(files.count > 30)
    for file in files where file.pathExtension == "json" {
      let name = file.lastPathComponent
      let isValid = name.hasPrefix("pass") || ["fail01", "fail18"].contains { name.hasPrefix($0) }
      let error = Self.error(Array(try Data(contentsOf: file)))
      #expect((error == nil) == isValid, "\(name): \(error?.message ?? "accepted")")
    }
  }

  @Test func documentsAreSharedBetweenThreads() async throws {
    let document = try JSONDocument(
      "[" + (0..<1000).map { #"{"id":\#($0),"n":"x\u00e9"}"# }.joined(separator: ",") + "]")
    let path = try JSONPath(parsing: "$[?match(@.n, 'x.') && @.id >= 500].id")
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          _ = try JSONDocument(document.root.rawText)
          return path.nodes(in: document.root).count
        }
      }
      for try await count in group { #expect(count == 500) }
    }
  }
}
