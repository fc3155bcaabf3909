import Foundation
public import Testing

/// What a test needs and this machine lacks.
public struct Unavailable: Error, CustomStringConvertible {
  /// What is missing.
  public let description: String
}

/// Whether everything that the tests need must be there.
private let isComplete = ProcessInfo.processInfo.environment["CI"] == "true"

/// The only conditions in the tests: each says what is missing where a test is skipped.
extension Trait where Self == ConditionTrait {
  /// Skips the test where something is missing; with `CI=true` the test fails instead.
  ///
  /// - Parameters:
  ///   - isThere: Looks whether it is there.
  ///   - reason: What is missing otherwise.
  public static func available(
    _ isThere: @autoclosure @escaping @Sendable () -> Bool, _ reason: String
  ) -> Self {
    .enabled(Comment(rawValue: reason)) {
      if isThere() { return true }
      if isComplete { throw Unavailable(description: reason) }
      return false
    }
  }

  /// Skips the test where one of these programs is not installed, as ``available(_:_:)`` does.
  public static func programs(_ names: String...) -> Self {
    let missing = names.filter { !Program($0).isInstalled }
    return available(missing.isEmpty, "not installed: \(missing.joined(separator: ", "))")
  }

  /// Skips the test where the data of ``SharedCorpus`` is not beside the project, in any case.
  ///
  /// - Parameter path: A folder or a file below `shared/corpus`.
  public static func corpus(_ path: String) -> Self {
    .enabled(
      if: SharedCorpus.has(path), "shared/corpus/\(path) is not beside the project")
  }
}
