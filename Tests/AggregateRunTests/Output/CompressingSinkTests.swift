import AggregateCore
import AggregateFormats
import Synchronization
import Testing

@testable import AggregateRun

@Suite struct CompressingSinkTests {
  /// Keeps what is written and whether it became final.
  private final class Kept: ByteSink {
    let bytes = Mutex<[UInt8]>([])
    let isFinal = Mutex(false)

    func write(_ new: UnsafeRawBufferPointer) -> Demand {
      bytes.withLock { $0 += new }
      return .more
    }
    func commit() { isFinal.withLock { $0 = true } }
    func discard() {}
  }

  @Test(arguments: ["gz", "zst"])
  func whatIsWrittenIsCompressedAndEndsBeforeTheCommit(_ ending: String) async throws {
    let kept = Kept()
    let encoder: any StreamEncoder =
      ending == "gz" ? try GzipEncoder() : try ZstandardEncoder(path: "x.zst")
    let sink = CompressingSink(kept, with: encoder)
    for row in ["a\n", "1\n", "2\n"] {
      _ = try Array(row.utf8).withUnsafeBytes { try sink.write($0) }
    }
    #expect(!kept.isFinal.withLock { $0 })
    try sink.commit()
    #expect(kept.isFinal.withLock { $0 })
    let packed = kept.bytes.withLock { $0 }
    #expect(packed.starts(with: ending == "gz" ? [0x1F, 0x8B] : [0x28, 0xB5, 0x2F, 0xFD]))
    let log = RunLog(level: .quiet, isStrict: false) { _ in }
    let input = try await InputOpener().open(
      MemorySource(ByteBuffer(packed)), name: "x.\(ending)", InputOptions(), log: log)
    let rows = Mutex(0)
    try await input.emit { work in
      let count =
        switch work {
        case .batch(let batch): batch.rowCount
        case .deferred(let decode): decode().batches.reduce(0) { $0 + $1.rowCount }
        }
      rows.withLock { $0 += count }
    }
    #expect(rows.withLock { $0 } == 2)
  }
}
