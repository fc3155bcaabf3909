import AggregateCore
import AggregateFeeds
import AggregateTestSupport
import Foundation

/// The folder of real feeds beside the project; tests that read it are skipped when it is not there.
enum Corpus {
  static let root = SharedCorpus.folder("feeds") ?? URL(filePath: "/nowhere")

  static func bytes(_ path: String) throws -> ByteBuffer {
    ByteBuffer([UInt8](try Data(contentsOf: root.appendingPathComponent(path))))
  }

  static func json(_ path: String) throws -> Any {
    try JSONSerialization.jsonObject(
      with: try Data(contentsOf: root.appendingPathComponent(path)))
  }

  /// The files below a folder with one of the extensions, as paths from the root.
  static func files(_ folder: String = "", _ extensions: Set<String>) -> [String] {
    let top = root.path
    guard let walker = FileManager.default.enumerator(atPath: top + "/" + folder) else { return [] }
    return walker.compactMap { $0 as? String }
      .filter { extensions.contains(($0 as NSString).pathExtension) }
      .map { folder.isEmpty ? $0 : "\(folder)/\($0)" }.sorted()
  }
}
