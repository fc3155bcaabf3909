import AggregateTestSupport
import Foundation

/// Documents of the real service, beside the project on some machines only.
enum Corpus {
  static let folder = SharedCorpus.folder("pokeapi")

  /// The numbers of the documents of a resource, in order.
  static func numbers(_ path: String) throws -> [Int] {
    guard let folder else { return [] }
    return try FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: path).path
    ).compactMap { Int($0.dropLast(5)) }.sorted()
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    guard let folder else { return [] }
    return Array(try Data(contentsOf: folder.appending(path: path)))
  }

  /// Foundation's view of a document.
  static func object(_ path: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(bytes(path)))
    return (object as? [String: Any]) ?? [:]
  }
}
