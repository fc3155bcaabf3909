import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateState

@Suite struct ProcessLockTests {
  private let folder = TemporaryFolder()

  @Test func lockHasOneHolderAndIsFreeBehindIt() throws {
    let path = folder.file("locks/a.lock")
    do {
      let lock = try ProcessLock(path: path)
      let isHeld = lock != nil
      #expect(isHeld)
      let second = try ProcessLock(path: path) == nil
      #expect(second)
      _ = consume lock
    }
    let isFree = try ProcessLock(path: path) != nil
    #expect(isFree)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }
}
