import Foundation

/// Data beside the project, which is there on some machines only.
enum Corpus {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "shared/corpus")

  static func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: url(path).path)
  }

  static func url(_ path: String) -> URL {
    // A work tree lies one folder deeper than the project.
    let near = folder.appending(path: path)
    if FileManager.default.fileExists(atPath: near.path) { return near }
    return folder.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "shared/corpus").appending(path: path)
  }

  static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: url(path))) }

  static func files(_ path: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: url(path), includingPropertiesForKeys: nil)
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}
