import AggregateCore
import Testing

struct MemoryLedgerTests {
  @Test("Holders share the memory equally, for as long as they hold it")
  func shares() {
    let ledger = MemoryLedger(total: 100)
    let first = ledger.share()
    #expect(first.limit == 100)
    do {
      let second = ledger.share()
      #expect(first.limit == 50)
      #expect(second.limit == 50)
      withExtendedLifetime(second) {}
    }
    #expect(first.limit == 100)
  }
}
