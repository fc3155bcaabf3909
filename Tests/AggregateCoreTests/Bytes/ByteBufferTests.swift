import AggregateCore
import Testing

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
