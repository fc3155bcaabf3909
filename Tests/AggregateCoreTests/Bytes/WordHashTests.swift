import AggregateCore
import Testing

struct WordHashTests {
  private func hash(_ parts: [String]) -> UInt64 {
    var hash = WordHash()
    for part in parts { Array(part.utf8).withUnsafeBytes { hash.combine($0) } }
    return hash.value
  }

  @Test("Equal parts hash equally, and where one part ends counts")
  func parts() {
    #expect(hash(["city", "Oslo"]) == hash(["city", "Oslo"]))
    #expect(hash(["ab", "c"]) != hash(["a", "bc"]))
    #expect(hash(["", "a"]) != hash(["a", ""]))
  }

  @Test("Texts that differ in one byte, at any place, or in a NUL at the end, differ")
  func bytes() {
    var seen: Set<UInt64> = []
    var count = 0
    for length in 0..<40 {
      let text = [UInt8](repeating: 0, count: length)
      for place in 0..<max(1, length) {
        for byte in length == 0 ? [UInt8(0)] : [1, 2, 255] {
          var changed = text
          if length > 0 { changed[place] = byte }
          var hash = WordHash()
          changed.withUnsafeBytes { hash.combine($0) }
          seen.insert(hash.value)
          count += 1
        }
      }
    }
    #expect(seen.count == count)
  }
}
