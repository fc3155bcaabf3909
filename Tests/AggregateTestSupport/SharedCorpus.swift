public import Foundation

/// Answers of real services, in a folder beside the project on some machines only.
public enum SharedCorpus {
  /// A saved answer.
  public struct Answer: Sendable, CustomStringConvertible {
    /// The file, from the folder of its service on.
    public let path: String
    /// The status it came with, where that is known; else 200.
    public let status: Int
    /// The body.
    public let body: [UInt8]

    /// The file.
    public var description: String { path }
  }

  /// Whether there is a folder or a file of this name.
  public static func has(_ name: String) -> Bool { folder(name) != nil }

  /// The files of a folder that end like this, at any depth, in order.
  public static func files(_ name: String, ending: String = ".json") -> [String] {
    guard let folder = folder(name) else { return [] }
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix(ending) }.sorted()
  }

  /// The bytes of a file.
  public static func bytes(_ name: String, _ path: String) throws -> [UInt8] {
    guard let folder = folder(name) else { return [] }
    return [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }

  /// The address of a file on this machine.
  public static func path(_ name: String, _ file: String) -> String {
    folder(name)?.appending(path: file).path ?? file
  }

  /// The answers of a folder: of recordings (`.http.json`) the answer, of other files all of it.
  public static func answers(_ name: String) -> [Answer] {
    files(name).compactMap { path in
      guard let bytes = try? bytes(name, path) else { return nil }
      guard path.hasSuffix(".http.json") else {
        // Such as `apiKeyInvalid.401.json`, `429_quota.json` and `error_responses__401_invalid_key.json`.
        let words = path.split { "/._".contains($0) }
        let status = words.lazy.compactMap { Int($0) }.first { (400...599).contains($0) }
        return Answer(path: path, status: status ?? 200, body: bytes)
      }
      guard let response = try? OtherJSON(bytes)["response"] else { return nil }
      return Answer(
        path: path, status: response["status"].number.map { Int($0) } ?? 200,
        body: Array((response["body"].text ?? "").utf8))
    }
  }

  /// A folder or a file; nil where it is not there.
  public static func folder(_ name: String) -> URL? {
    var folder = URL(filePath: #filePath)
    for _ in 0..<8 {
      folder.deleteLastPathComponent()
      let found = folder.appending(path: "shared/corpus/\(name)")
      if FileManager.default.fileExists(atPath: found.path) { return found }
    }
    return nil
  }
}
