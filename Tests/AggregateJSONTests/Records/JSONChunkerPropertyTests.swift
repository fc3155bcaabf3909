import AggregateCore
import AggregateJSON
import Testing

/// Random texts, sound and damaged, cut in every way.
struct JSONChunkerPropertyTests {
  /// A small generator with a fixed seed, so that a failure can be repeated.
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  static func value(_ depth: Int, _ random: inout Generator) -> String {
    switch Int.random(in: 0..<(depth > 3 ? 6 : 9), using: &random) {
    case 0: return "\(Int.random(in: -99...99, using: &random))"
    case 1: return "1.5e-3"
    case 2: return ["true", "false", "null"].randomElement(using: &random) ?? ""
    case 3, 4, 5:
      let parts = ["a", "{", "]", ",", "\\\"", "\\\\", "\\n", "é", "}\\n{", "\\ud83d\\ude00", ":"]
      let count = Int.random(in: 0...5, using: &random)
      return "\"" + (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        + "\""
    case 6:
      let count = Int.random(in: 0...3, using: &random)
      return "["
        + (0..<count).map { _ in value(depth + 1, &random) }.joined(separator: space(&random) + ",")
        + space(&random) + "]"
    default: return object(depth, &random)
    }
  }

  static func object(_ depth: Int, _ random: inout Generator) -> String {
    let count = Int.random(in: 0...3, using: &random)
    return "{"
      + (0..<count).map { _ in
        space(&random)
          + "\"\(["a", "b", "value", "\\u0061"].randomElement(using: &random) ?? "")\":"
          + value(depth + 1, &random)
      }.joined(separator: ",") + space(&random) + "}"
  }

  static func space(_ random: inout Generator) -> String {
    ["", "", "", " ", "\n", "\r\n  "].randomElement(using: &random) ?? ""
  }

  private func check(
    _ bytes: [UInt8], _ mode: JSONChunker.Mode, _ random: inout Generator, isSound: Bool
  ) {
    let paths = ["a", "a.b", "value"]
    let whole = RecordFixtures.stream(
      bytes, mode: mode, paths: paths, blockSize: max(1, bytes.count), chunkSize: 1 << 20)
    #expect(!isSound || whole.error == nil, "\(String(decoding: bytes, as: UTF8.self))")
    for _ in 0..<4 {
      let cut = RecordFixtures.stream(
        bytes, mode: mode, paths: paths, blockSize: Int.random(in: 1...40, using: &random),
        chunkSize: Int.random(in: 1...200, using: &random), isEager: Bool.random(using: &random))
      #expect(cut.rows == whole.rows, "\(String(decoding: bytes, as: UTF8.self))")
      #expect(
        (cut.error == nil) == (whole.error == nil), "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  private func damaged(_ text: String, _ random: inout Generator) -> [UInt8] {
    var bytes = Array(text.utf8)
    guard let index = bytes.indices.randomElement(using: &random) else { return bytes }
    let byte = Array("{}[],:\"\\x0\n \u{1}".utf8) + [0xFF]
    if Bool.random(using: &random) {
      bytes[index] = byte.randomElement(using: &random) ?? 0
    } else {
      bytes.remove(at: index)
    }
    return bytes
  }

  @Test(arguments: 1...20)
  func `documents`(_ seed: UInt64) {
    var random = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15)
    for _ in 0..<20 {
      var text = ""
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        text += Self.object(0, &random)
        text += ["\n", "\n", " ", "", "\r\n\n"].randomElement(using: &random) ?? ""
      }
      check(Array(text.utf8), .documents, &random, isSound: true)
      check(damaged(text, &random), .documents, &random, isSound: false)
    }
  }

  @Test(arguments: 1...20)
  func `arrays`(_ seed: UInt64) {
    var random = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15)
    for _ in 0..<20 {
      let elements = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        Self.space(&random) + Self.value(0, &random) + Self.space(&random)
      }
      let text = "[" + elements.joined(separator: ",") + "]\n"
      check(Array(text.utf8), .array, &random, isSound: true)
      check(damaged(text, &random), .array, &random, isSound: false)
    }
  }
}
