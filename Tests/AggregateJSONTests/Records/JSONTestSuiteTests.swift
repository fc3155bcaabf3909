import AggregateCore
import AggregateJSON
import AggregateTestSupport
import Foundation
import Testing

/// The vectors of JSONTestSuite, when they are there.
struct JSONTestSuiteTests {
  static let name = "json/JSONTestSuite/test_parsing"
  static let files = SharedCorpus.files(name)

  private func read(_ file: String, separator: RecordSeparator) throws -> JSONReadResult {
    let buffer = ByteBuffer(try SharedCorpus.bytes(Self.name, file))
    return JSONRecordReader(schema: RecordFixtures.schema(["a", "value.0"], isOpen: true)).read(
      buffer, in: 0..<buffer.count, separator: separator, isLast: true)
  }

  @Test(.corpus("json/JSONTestSuite")) func thereAreVectors() {
    #expect(Self.files.count > 250)
  }

  @Test(.corpus("json/JSONTestSuite"), arguments: files)
  func `valid documents are accepted and invalid ones rejected with a place`(
    _ file: String
  ) throws {
    let result = try read(file, separator: .single)
    if file.hasPrefix("y_") {
      #expect(result.failure == nil, "\(result.failure?.reason ?? "")")
      #expect(result.recordCount == 1)
    } else if file.hasPrefix("n_") {
      let size = try SharedCorpus.bytes(Self.name, file).count
      // No text at all is no record rather than a malformed one.
      if result.recordCount == 0 && result.failure == nil {
        #expect(["n_single_space.json", "n_structure_no_data.json"].contains(file))
      } else {
        let failure = try #require(result.failure)
        #expect((0...size).contains(failure.offset))
      }
    }
  }

  @Test(.corpus("json/JSONTestSuite"), arguments: files)
  func `skipped values are checked as strictly as wanted ones`(_ file: String) throws {
    guard file.hasPrefix("n_") || file.hasPrefix("y_") else { return }
    let data = try SharedCorpus.bytes(Self.name, file)
    // Some vectors are only invalid when they are alone.
    if data.allSatisfy({ $0 == 32 || $0 == 10 || $0 == 13 || $0 == 9 }) { return }
    let reader = JSONRecordReader(schema: RecordFixtures.schema(["other"]))
    let nested = ByteBuffer(Array("{\"skipped\":[".utf8) + data + Array("]}".utf8))
    let result = reader.read(nested, in: 0..<nested.count, separator: .single, isLast: true)
    if file.hasPrefix("y_") {
      #expect(result.failure == nil, "\(result.failure?.reason ?? "")")
    } else if String(decoding: data, as: UTF8.self) != "1]" && !closesEarly(data) {
      #expect(result.failure != nil || result.recordCount == 0)
    }
  }

  /// Whether what is wrong alone may become right inside of brackets, as `1,2` does.
  private func closesEarly(_ data: [UInt8]) -> Bool {
    let wrapped = Array("[".utf8) + data + Array("]".utf8)
    return (try? JSONSerialization.jsonObject(with: Data(wrapped))) != nil
  }
}
