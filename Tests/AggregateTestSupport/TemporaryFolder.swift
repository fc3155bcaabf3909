import Foundation

/// A fresh folder for one test, removed with whatever it holds when nobody holds it any more.
///
/// A suite keeps it in a property: it lives as long as the instance that runs the test.
public final class TemporaryFolder: Sendable {
  /// Where it is, with symbolic links resolved.
  public let path: String

  /// Creates the folder; `name` only tells what left it behind, should a test be killed.
  public init(_ name: String = #fileID) {
    let parts = name.split(separator: "/").last?.split(separator: ".").first.map(String.init)
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    path = "\(base)/\(parts ?? "test")-\(UUID().uuidString)"
    // What fails here fails in the test, with the path in its message.
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  public func file(_ name: String) -> String { "\(path)/\(name)" }
}
