import Testing

@testable import AggregateCore

@Suite struct ByteStorageTests {
  @Test func aPieceHoldsWhatWasAskedFor() {
    for byteCount in [
      0, 1, 1 << 16, (1 << 16) + 1, 70_000, 100_000, 1 << 20, (1 << 23) - 1, 1 << 23,
    ] {
      let (start, size) = ByteStorage.allocate(byteCount)
      #expect(size >= byteCount && size <= max(byteCount + 1, byteCount * 2))
      if size > 0 { (start + size - 1).storeBytes(of: 1, as: UInt8.self) }
      ByteStorage.deallocate(start, size)
    }
  }

  @Test func piecesThatAreInUseAreApart() {
    var pieces: [(start: UnsafeMutableRawPointer, byteCount: Int)] = []
    for round in 0..<200 {
      let piece = ByteStorage.allocate(65_537 + 911 * (round % 97))
      piece.start.initializeMemory(
        as: UInt8.self, repeating: UInt8(round % 251), count: piece.byteCount)
      pieces.append(piece)
      if round % 3 == 2 {
        let old = pieces.removeFirst()
        ByteStorage.deallocate(old.start, old.byteCount)
      }
    }
    let ranges = pieces.map {
      UInt(bitPattern: $0.start)..<UInt(bitPattern: $0.start + $0.byteCount)
    }
    .sorted { $0.lowerBound < $1.lowerBound }
    for (a, b) in zip(ranges, ranges.dropFirst()) { #expect(a.upperBound <= b.lowerBound) }
    for piece in pieces {
      let first = piece.start.load(as: UInt8.self)
      #expect((piece.start + piece.byteCount - 1).load(as: UInt8.self) == first)
      ByteStorage.deallocate(piece.start, piece.byteCount)
    }
  }

  @Test func buffersKeepTheirBytesWhileOthersComeAndGo() async {
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<4 {
        group.addTask {
          var kept: [(ByteBuffer, UInt8)] = []
          for round in 0..<300 {
            let byte = UInt8((task * 61 + round) % 256)
            var builder = ByteBuilder(capacity: 1000)
            for _ in 0..<(70 + round % 5 * 40) {
              builder.append([UInt8](repeating: byte, count: 1024))
            }
            kept.append((builder.finish(), byte))
            if kept.count > 5 {
              let (buffer, byte) = kept.removeFirst()
              if !buffer.copy(0..<buffer.count).allSatisfy({ $0 == byte }) { return false }
            }
          }
          return true
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
