import AggregateCore
import Synchronization
import Testing

@testable import AggregateTransport

/// When a stale answer is used after all: RFC 9111, section 4.2.4, and RFC 5861.
struct CacheStaleTests {
  /// Keeps an answer with these directives, lets it become stale and the server fail.
  private func stale(
    _ directives: String, status: Int = 503, behind: Double = 10,
    policy: (inout CachePolicy) -> Void = { _ in }, asking header: String? = nil
  ) async throws -> String? {
    let lab = CacheLab()
    lab.serve(
      "Cache-Control: max-age=60\(directives.isEmpty ? "" : ", ")\(directives)", "ETag: \"a\"")
    #expect(try await lab.get() == "1")
    lab.wait(60 + behind)
    lab.serve(.init(status: status, body: "failed"))
    do {
      let answer =
        if let header { try await lab.get("/a", header, policy: policy) } else {
          try await lab.get(policy: policy)
        }
      #expect(lab.metrics.figures.stale == 1)
      #expect(lab.log.warnings.contains { $0.contains("a stale answer") })
      return answer
    } catch is AggregateError { return nil }
  }

  private static let hour: @Sendable (inout CachePolicy) -> Void = {
    $0.staleIfError = .seconds(3600)
  }

  @Test("Nothing stale is used unless somebody allows it")
  func notAllowed() async throws {
    #expect(try await stale("") == nil)
    #expect(try await stale("stale-while-revalidate=600") == nil)
  }

  @Test(
    "stale-if-error of an answer allows it, for so long and for the failures of a server",
    arguments: [
      ("stale-if-error=60", 503, 10, true), ("stale-if-error=60", 500, 10, true),
      ("stale-if-error=60", 0, 10, true), ("stale-if-error=60", 503, 61, false),
      ("stale-if-error=0", 503, 1, false), ("stale-if-error", 503, 1, false),
      ("stale-if-error=x", 503, 1, false), ("stale-if-error=60", 404, 10, false),
      ("stale-if-error=60", 429, 10, false), ("stale-if-error=60", 403, 10, false),
    ] as [(String, Int, Double, Bool)])
  func directive(_ directive: String, _ status: Int, _ behind: Double, _ isUsed: Bool) async throws
  {
    #expect(try await stale(directive, status: status, behind: behind) == (isUsed ? "1" : nil))
  }

  @Test("stale-if-error of a request allows it, too")
  func requestDirective() async throws {
    #expect(try await stale("", asking: "Cache-Control: stale-if-error=60") == "1")
    #expect(
      try await stale("stale-if-error=600", asking: "Cache-Control: stale-if-error=5") == nil)
  }

  @Test("The option stale_if_error stands in place of the directive")
  func option() async throws {
    #expect(try await stale("", policy: Self.hour) == "1")
    #expect(try await stale("", status: 429, policy: Self.hour) == "1")
    #expect(try await stale("", status: 404, policy: Self.hour) == nil)
    #expect(try await stale("", behind: 3601, policy: Self.hour) == nil)
    #expect(try await stale("stale-if-error=60", behind: 600, policy: Self.hour) == "1")
    #expect(
      try await stale("stale-if-error=60", behind: 10, policy: { $0.staleIfError = .seconds(5) })
        == nil)
  }

  @Test(
    "What must be revalidated is not used stale, whatever directive or option allows it",
    arguments: ["must-revalidate", "no-cache", "Must-Revalidate, stale-if-error=600"])
  func mustRevalidate(_ directives: String) async throws {
    #expect(try await stale(directives) == nil)
    #expect(try await stale("\(directives), stale-if-error=60") == nil)
    #expect(try await stale(directives, policy: Self.hour) == nil)
    #expect(try await stale(directives, asking: "Cache-Control: stale-if-error=60") == nil)
  }

  @Test("proxy-revalidate, s-maxage and no-cache with field names do not forbid it")
  func sharedOnly() async throws {
    for directives in ["proxy-revalidate", "s-maxage=5", "no-cache=\"x-a\""] {
      #expect(try await stale(directives, policy: Self.hour) == "1")
    }
  }

  @Test("A run that goes on with what was there, marked, uses whatever there is")
  func standsInForAll() async throws {
    for (directives, status) in [("", 404), ("must-revalidate", 503), ("no-cache", 0)] {
      let answer = try await stale(
        directives, status: status, behind: 1e6,
        policy: { ($0.staleIfError, $0.standsInForAll) = (.seconds(1e10), true) })
      #expect(answer == "1")
    }
  }
}
