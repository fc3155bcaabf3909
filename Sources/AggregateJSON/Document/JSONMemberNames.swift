internal import CSimdjson

/// Names of members of a document's root: those that are kept when only some of it is wanted.
///
/// Holds the names where C can read them for as long as it lives, and never changes them.
public final class JSONMemberNames: @unchecked Sendable {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let names: UnsafeMutableBufferPointer<CSimdjsonName>

  /// Makes the set; the order and repetitions do not matter.
  public init(_ members: some Sequence<String>) {
    let members = members.map { Array($0.utf8) }
    // A byte more, so that there is an address even for a single empty name.
    bytes = .allocate(capacity: members.reduce(1) { $0 + $1.count })
    bytes.initialize(repeating: 0)
    names = .allocate(capacity: members.count)
    var end = 0
    for (index, member) in members.enumerated() {
      let place = UnsafeMutableBufferPointer(rebasing: bytes[end...])
      _ = place.update(from: member)
      if let start = place.baseAddress {
        names.initializeElement(at: index, to: CSimdjsonName(bytes: start, length: member.count))
      }
      end += member.count
    }
  }

  deinit {
    bytes.deallocate()
    names.deallocate()
  }

  /// Calls `body` with the names; the pointer must not outlive the call.
  func withNames<R>(_ body: (UnsafePointer<CSimdjsonName>?, Int) -> R) -> R {
    withExtendedLifetime(self) { body(names.baseAddress.map { UnsafePointer($0) }, names.count) }
  }
}
