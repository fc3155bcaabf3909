import AggregateCore
import AggregateFile
import AggregateTestSupport
import Foundation
import Testing

/// Every real answer that no named provider has columns for is rows all the same: read as JSON, each
/// value is the one that another reader sees.
@Suite(.corpus("pokeapi"))
struct CorpusRowsTests {
  /// The folders whose documents are checked column by column in the tests of their provider.
  private static let mapped = [
    "pokeapi/pokemon/", "pokeapi/pokemon-species/", "pokeapi/type/", "pokeapi/ability/",
    "pokeapi/move/", "pokeapi/berry/", "pokeapi/item/", "pokeapi/evolution-chain/",
  ]

  private static let files = ["pokeapi", "openweather", "openmeteo", "newsapi"].flatMap { folder in
    SharedCorpus.files(folder).filter { file in
      !mapped.contains { "\(folder)/\(file)".hasPrefix($0) }
    }.map { (folder: folder, file: $0) }
  }

  @Test(arguments: ["pokeapi", "openweather", "openmeteo", "newsapi"])
  func everyFileIsRows(_ folder: String) async throws {
    var read = 0
    for (_, file) in Self.files.filter({ $0.folder == folder }) {
      let provider = try ProviderHarness.make(
        FileProvider.self, "path: '\(SharedCorpus.path(folder, file))'\nformat: json")
      let batches = try await ProviderHarness.run(provider, RecordedClient([]))
      let root = try OtherJSON(SharedCorpus.bytes(folder, file))
      let records = root.list ?? [root]
      var row = 0
      for batch in batches {
        for index in 0..<batch.rowCount {
          guard row < records.count else {
            row += 1
            continue
          }
          compare(batch.row(index), batch.schema.names, records[row], "\(folder)/\(file)")
          row += 1
        }
      }
      #expect(row == records.count, "\(folder)/\(file) has \(row) rows")
      read += 1
    }
    #expect(read > 20)
  }

  private func compare(
    _ row: [Value], _ names: [String], _ record: OtherJSON, _ place: String
  ) {
    var left = record.members ?? ["value": record]
    for (name, value) in zip(names, row) {
      let wanted = left.removeValue(forKey: name)
      guard !value.isNull else {
        #expect(wanted?.value == nil, "\(name) of \(place) is missing")
        continue
      }
      guard let wanted else {
        Issue.record("\(name) of \(place) is not in the document")
        continue
      }
      let isSame: Bool
      switch value {
      case .text(let text): isSame = wanted.text == text
      case .bool(let bool): isSame = wanted.value as? Bool == bool
      default:
        let again = try? OtherJSON(Array(value.displayText.utf8))
        isSame = again?.isSame(as: wanted) ?? false
      }
      #expect(isSame, "\(name) of \(place): \(value.displayText.prefix(80))")
    }
    #expect(left.isEmpty, "\(left.keys.sorted()) of \(place) are in no column")
  }
}
