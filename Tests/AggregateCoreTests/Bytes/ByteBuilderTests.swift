import AggregateCore
import Testing

@Suite struct ByteBuilderTests {
  @Test(arguments: [1, 2, 3, 7, 63, 64, 65, 1024, 4096])
  func whatIsAppendedInPartsIsWhole(_ size: Int) {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 31) }
    var builder = ByteBuilder(capacity: 1)
    for start in stride(from: 0, to: bytes.count, by: size) {
      builder.append(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    #expect(builder.count == bytes.count)
    #expect(builder.copy() == bytes)
    let buffer = builder.finish()
    #expect(buffer.copy(0..<buffer.count) == bytes)
  }

  @Test func everyKindOfAppendingAdds() {
    var builder = ByteBuilder()
    builder.append(UInt8(ascii: "a"))
    builder.append("é")
    builder.append(literal: "-")
    builder.append(ByteBuffer("0123"), 1..<3)
    builder.append(maximum: 10) { target in
      target[0] = UInt8(ascii: "z")
      return 1
    }
    builder.append([UInt8]())
    builder.append("")
    #expect(builder.finish().text == "aé-12z")
  }

  @Test func truncatingForgetsTheEnd() {
    var builder = ByteBuilder()
    builder.append("abcdef")
    builder.truncate(to: 2)
    builder.append("x")
    #expect(String(decoding: builder.copy(), as: UTF8.self) == "abx")
    builder.removeAll()
    #expect(builder.count == 0)
    #expect(builder.finish().count == 0)
  }
}
