internal import Synchronization

/// Divides the memory that a run may keep rows in among those who keep rows at the moment.
///
/// Stages of one pipeline, its sources, and what a stage sorts beside its own rows all hold rows at once; each may have an equal share.
public final class MemoryLedger: Sendable {
  /// How many bytes all holders may take together.
  public let total: Int
  private let holders = Atomic<Int>(0)

  /// Creates a ledger of `total` bytes.
  public init(total: Int) { self.total = total }

  /// A part of the memory, for as long as the result is kept.
  public func share() -> MemoryShare { MemoryShare(self) }

  fileprivate var limit: Int { total / max(1, holders.load(ordering: .relaxed)) }

  fileprivate func add(_ change: Int) { holders.wrappingAdd(change, ordering: .relaxed) }
}

/// What one holder of rows may keep in memory.
public final class MemoryShare: Sendable {
  private let ledger: MemoryLedger

  fileprivate init(_ ledger: MemoryLedger) {
    self.ledger = ledger
    ledger.add(1)
  }

  deinit { ledger.add(-1) }

  /// How many bytes the holder may take now; falls when others join, rises when they leave.
  public var limit: Int { ledger.limit }
}
