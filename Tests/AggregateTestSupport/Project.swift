public import Foundation

/// Where the project is, seen from its tests.
public enum Project {
  /// The folder of Package.swift.
  public static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a file of the project.
  ///
  /// - Throws: What the file system says.
  public static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
