import AggregateTestSupport
import Foundation
import Testing

/// Data beside the project, which is there on some machines only.
enum Corpus {
  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: #require(SharedCorpus.folder(path))))
  }

  static func files(_ path: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: #require(SharedCorpus.folder(path)), includingPropertiesForKeys: nil
    ).sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}
