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

@Suite struct ByteBufferTests {
  @Test func paddingBehindTheContentIsZero() {
    for count in [0, 1, 63, 64, 65] {
      let buffers = [
        ByteBuffer([UInt8](repeating: 0xFF, count: count)),
        ByteBuffer(capacity: count + 100) { target in
          for i in target.indices { target[i] = 0xFF }
          return count
        },
      ]
      for buffer in buffers {
        #expect(buffer.count == count)
        buffer.withUnsafeBytes { bytes in
          guard let start = bytes.baseAddress else { return }
          let padding = UnsafeRawBufferPointer(start: start + count, count: ByteBuffer.padding)
          #expect(padding.allSatisfy { $0 == 0 })
        }
      }
    }
  }

  @Test func textOfARangeReplacesWhatIsNotUTF8() {
    let buffer = ByteBuffer([0x61, 0xFF, 0x62])
    #expect(buffer.text(0..<1) == "a")
    #expect(buffer.text == "a\u{FFFD}b")
    #expect(buffer.bytes[2] == 0x62)
    #expect(ByteBuffer.empty.text == "")
  }

  @Test func errorOfTheFillingIsPassedOn() {
    struct Full: Error {}
    #expect(throws: Full.self) { _ = try ByteBuffer(capacity: 10) { _ in throw Full() } }
  }
}
