import AggregateCore
import AggregateFormats
import AggregateTestSupport
import AggregateJSON
import Foundation
import Synchronization
import Testing

/// The columns of JSON depend on its records, not on how their bytes arrive.
@Suite struct JSONSampleTests {
  /// Hands out `pieces`, one per read.
  private final class Pieces: ByteSource {
    private let rest: Mutex<[String]>

    init(_ pieces: [String]) { rest = Mutex(pieces) }

    func read(
      behind rest: RestOfBlock, maximum: Int, patience: Duration
    ) async throws -> ByteBlock {
      let (text, isLast) = self.rest.withLock { pieces in
        let first = pieces.isEmpty ? "" : pieces.removeFirst()
        return (first, pieces.isEmpty)
      }
      let before = rest.buffer.text(rest.range)
      return ByteBlock(ByteBuffer(before + text), isLast: isLast)
    }
  }

  private func opened(
    _ pieces: [String], records: Int = 1000, bytes: Int = 1 << 20
  ) async throws -> (columns: [String], batches: [Int]) {
    var options = InputOptions()
    options.sampleRecords = records
    options.sampleBytes = bytes
    let log = RunLog(level: .quiet, isStrict: false) { _ in }
    let input = try await InputOpener().open(Pieces(pieces), name: "in", options, log: log)
    let counts = Mutex<[Int]>([])
    try await input.emit { work in
      let decoded =
        switch work {
        case .batch(let batch): Decoded(batches: [batch])
        case .deferred(let decode): decode()
        }
      counts.withLock { $0 += decoded.batches.map(\.rowCount) }
      if let failure = decoded.failure { throw failure }
    }
    return (input.schema.names, counts.withLock { $0 })
  }

  @Test func columnsOfLaterPiecesAreFound() async throws {
    for records in [
      ["{\"a\":1}\n", "{\"a\":2,\"b\":3}\n", "{\"c\":4}\n"],
      ["[{\"a\":1},\n", "{\"a\":2,\"b\":3},", " {\"c\":4}]\n"],
    ] {
      let inPieces = try await opened(records)
      let atOnce = try await opened([records.joined()])
      #expect(inPieces.columns == ["a", "b", "c", "_extra"])
      #expect(atOnce.columns == inPieces.columns)
      #expect(inPieces.batches == [3] && atOnce.batches == [3])
    }
  }

  @Test func sampleEndsAtTheSameRecordHoweverItArrives() async throws {
    let records = (0..<20).map { "{\"k\($0)\":\($0)}\n" }
    for step in [1, 3, 20] {
      let pieces = stride(from: 0, to: 20, by: step).map {
        records[$0..<min(20, $0 + step)].joined()
      }
      let byCount = try await opened(pieces, records: 5)
      #expect(byCount.columns == (0..<5).map { "k\($0)" } + ["_extra"], "\(step)")
      #expect(byCount.batches.first == 5 && byCount.batches.reduce(0, +) == 20, "\(step)")
      let bySize = try await opened(pieces, bytes: 31)
      #expect(bySize.columns == ["k0", "k1", "k2", "_extra"], "\(step)")
    }
  }

  @Test func formatIsToldAlikeHoweverItArrives() async throws {
    for text in [
      "abcd\tb\n1\t2\n", "[{\"a\":1}]\n[{\"a\":2}]\n", "[{\"a\":1},{\"b\":2}]", "a;b,c\n1,2\n",
      "    \n  {\"a\":1}", "ab", "{\"a\":1}\n{\"b\":2}",
    ] {
      let whole = try await opened([text])
      for cut in 1..<text.count {
        let first = String(text.prefix(cut))
        let pieces = try await opened([first, String(text.dropFirst(cut))])
        #expect(pieces.columns == whole.columns, "\(first) | …")
        #expect(pieces.batches.reduce(0, +) == whole.batches.reduce(0, +), "\(first) | …")
      }
    }
  }

  @Test func firstRecordIsLookedAtHoweverLong() async throws {
    #expect(try await opened(["{\"a\":123456}\n{\"b\":1}\n"], bytes: 3).columns == ["a", "_extra"])
  }

  @Test func faultBehindTheSampleKeepsTheRowsBeforeIt() async {
    let reading = await Fixture.read("[{\"a\":1},\n{\"a\":2},\n", block: 9) { $0.format = "json" }
    #expect(reading.rows.count == 2)
    #expect(reading.message.contains("input:3:1: the array"), "\(reading.message)")
  }
}
