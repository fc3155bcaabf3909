import AggregateCore
import AggregateFormats
import AggregateTestSupport
import Foundation
import Testing

/// Real and tricky files of other projects, where they are at hand.
@Suite(.corpus("csv"))
struct CSVCorpusTests {
  private static func files(_ folder: String, _ ends: String) -> [URL] {
    guard let root = SharedCorpus.folder("csv/\(folder)") else { return [] }
    let found =
      (try? FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil))
      ?? []
    return found.filter { $0.lastPathComponent.hasSuffix(ends) }
      .sorted { $0.path < $1.path }
  }

  private func text(_ value: Value) -> String { value.displayText }

  @Test func spectrumGivesTheStatedObjects() async throws {
    let files = Self.files("csv-spectrum/csvs", ".csv")
    #expect(files.count == 10)
    for file in files {
      let stated = file.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "json/\(file.deletingPathExtension().lastPathComponent).json")
      let wanted = try #require(
        try JSONSerialization.jsonObject(with: Data(contentsOf: stated)) as? [[String: String]])
      let reading = await Fixture.read(Array(try Data(contentsOf: file))) { $0.format = "csv" }
      #expect(reading.message == "", "\(file.lastPathComponent)")
      let rows = reading.rows.map { row in
        Dictionary(uniqueKeysWithValues: zip(reading.schema.names, row.map(text)))
      }
      #expect(rows == wanted, "\(file.lastPathComponent)")
    }
  }

  @Test func testDataGivesTheStatedCells() async throws {
    let files = Self.files("csv-test-data/csv", ".csv")
    #expect(!files.isEmpty)
    // Two empty lines and nothing else: no records here, two there.
    for file in files
    where !file.lastPathComponent.hasPrefix("bad-") && file.lastPathComponent != "all-empty.csv" {
      let stated = file.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "json/\(file.deletingPathExtension().lastPathComponent).json")
      let data = try JSONSerialization.jsonObject(with: Data(contentsOf: stated))
      let reading = await Fixture.read(Array(try Data(contentsOf: file))) {
        $0.format = "csv"
        $0.dialect.hasHeader = (data as? [[String]])?.isEmpty ?? true
      }
      #expect(reading.message == "", "\(file.lastPathComponent)")
      if let cells = data as? [[String]] {
        #expect(reading.rows.map { $0.map(text) } == cells, "\(file.lastPathComponent)")
      }
    }
    for name in ["bad-missing-quote", "bad-quotes-with-unescaped-quote", "bad-unescaped-quote"] {
      let file = try #require(files.first { $0.lastPathComponent == "\(name).csv" })
      let reading = await Fixture.read(Array(try Data(contentsOf: file))) { $0.format = "csv" }
      #expect(reading.failure != nil || name == "bad-unescaped-quote", "\(name)")
    }
  }

  @Test func noFileOfTheCorpusCrashesAndAllSizesAgree() async throws {
    let root = try #require(SharedCorpus.folder("csv"))
    let all = try #require(FileManager.default.enumerator(atPath: root.path))
    var count = 0
    for case let path as String in all where path.hasSuffix(".csv") || path.hasSuffix(".tsv") {
      let bytes = Array(try Data(contentsOf: root.appending(path: path)))
      guard bytes.count < 60_000 else { continue }
      count += 1
      let whole = await Fixture.read(bytes, name: path)
      for size in [1, 7, 1024] {
        let parts = await Fixture.read(bytes, name: path, block: size, batch: size)
        #expect(parts.rows == whole.rows && parts.message == whole.message, "\(path) \(size)")
      }
    }
    #expect(count > 50)
  }
}
