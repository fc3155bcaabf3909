import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateTransport

@Suite struct CircuitBreakerTests {
  private let start = ContinuousClock.now

  private func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

  @Test func opensAfterFailuresInARow() {
    var breaker = CircuitBreaker()
    for _ in 0..<2 {
      #expect(breaker.admit(at: start) == .sent)
      breaker.fail(at: start, threshold: 3)
    }
    breaker.succeed()
    for _ in 0..<3 {
      #expect(breaker.admit(at: start) == .sent)
      #expect(!breaker.isOpen(at: start))
      breaker.fail(at: start, threshold: 3)
    }
    #expect(breaker.isOpen(at: start))
    #expect(breaker.admit(at: at(10)) == .refused(seconds: 20))
  }

  @Test func oneTrialDecides() {
    var breaker = CircuitBreaker()
    breaker.fail(at: start, threshold: 1)
    #expect(breaker.admit(at: at(30)) == .trial)
    #expect(breaker.admit(at: at(30)) == .refused(seconds: 0))
    breaker.fail(at: at(31), threshold: 100)
    #expect(breaker.admit(at: at(60)) == .refused(seconds: 1))
    #expect(breaker.admit(at: at(61)) == .trial)
    breaker.abandonTrial()
    #expect(breaker.admit(at: at(61)) == .trial)
    breaker.succeed()
    #expect(breaker.admit(at: at(61)) == .sent)
    #expect(breaker.failures == 0)
  }
}
