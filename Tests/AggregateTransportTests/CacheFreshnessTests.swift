import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateTransport

/// How long an answer is fresh: RFC 9111, sections 4.2, 5.1 to 5.3.
struct CacheFreshnessTests {
  /// Fields of an answer, and how many seconds it is used for without a question; 0 for never.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var fields: [String]
    var fresh: Double

    init(_ name: String, _ fresh: Double, _ fields: String...) {
      testDescription = name
      self.fields = fields
      self.fresh = fresh
    }
  }

  private static let date = "Date: @+0"

  @Test(
    "An answer is fresh for as long as it says",
    arguments: [
      Case("max-age", 60, "Cache-Control: max-age=60"),
      Case("the name of the field in another case", 60, "cache-CONTROL: max-age=60"),
      Case("the directive in another case", 60, "Cache-Control: Max-Age=60"),
      Case("a quoted number", 60, "Cache-Control: max-age=\"60\""),
      Case("white space", 60, "Cache-Control:  public ,\t max-age=60 , "),
      Case("several lines", 60, "Cache-Control: private", "Cache-Control: max-age=60"),
      Case("unknown directives", 60, "Cache-Control: x, y=\"max-age=9,\\\"a\", max-age=60, z=1"),
      Case("a directive inside of quotes", 0, "Cache-Control: x=\"a, max-age=60\"", "ETag: \"a\""),
      Case(
        "immutable and stale-while-revalidate are no freshness", 60,
        "Cache-Control: immutable, stale-while-revalidate=600, max-age=60"),
      Case("max-age=0", 0, "Cache-Control: max-age=0", "ETag: \"a\""),
      Case("Expires", 60, "Expires: @+60", date),
      Case("max-age over Expires", 60, "Cache-Control: max-age=60", "Expires: @+600", date),
      Case("max-age over an invalid Expires", 60, "Cache-Control: max-age=60", "Expires: 0"),
      Case("max-age=0 over Expires", 0, "Cache-Control: max-age=0", "Expires: @+600", date),
      Case("s-maxage is for shared caches", 60, "Cache-Control: s-maxage=600, max-age=60"),
      Case("s-maxage=0 is for shared caches", 60, "Cache-Control: max-age=60, s-maxage=0"),
      Case("s-maxage alone says nothing", 0, "Cache-Control: s-maxage=600", "ETag: \"a\""),
      Case(
        "s-maxage does not hide Expires", 60, "Cache-Control: s-maxage=9", "Expires: @+60", date),
      Case("private", 60, "Cache-Control: private, max-age=60"),
      Case("private with field names", 60, "Cache-Control: private=\"x-a, x-b\", max-age=60"),
      Case("must-revalidate while fresh", 60, "Cache-Control: must-revalidate, max-age=60"),
      Case("proxy-revalidate", 60, "Cache-Control: proxy-revalidate, max-age=60"),
      Case("no-cache", 0, "Cache-Control: max-age=60, no-cache", "ETag: \"a\""),
      Case("no-cache in capitals", 0, "Cache-Control: NO-CACHE, max-age=60"),
      Case("no-cache over Expires", 0, "Cache-Control: no-cache", "Expires: @+60", date),
      Case("no-cache with field names", 60, "Cache-Control: no-cache=\"x-a\", max-age=60"),
      Case(
        "no-cache without and with field names", 0,
        "Cache-Control: no-cache=\"x-a\", no-cache, max-age=60"),
      Case("no-cache with no field name", 0, "Cache-Control: no-cache=\"\", max-age=60"),
      Case(
        "Pragma means nothing in an answer", 60, "Pragma: no-cache", "Cache-Control: max-age=60"),
      Case("no guess from Last-Modified", 0, "Last-Modified: @-8640000", date),
      Case("no guess from a validator", 0, "ETag: \"a\"", date),
      Case("no guess from public", 0, "Cache-Control: public", "ETag: \"a\""),
    ])
  func freshness(_ given: Case) async throws {
    try await check(given)
  }

  @Test(
    "What can't be read or contradicts itself makes an answer stale, or the shorter time count",
    arguments: [
      Case("no number", 0, "Cache-Control: max-age=abc", "ETag: \"a\""),
      Case("no value", 0, "Cache-Control: max-age", "ETag: \"a\""),
      Case("an empty value", 0, "Cache-Control: max-age=", "Expires: @+60", date),
      Case("a negative number", 0, "Cache-Control: max-age=-60", "ETag: \"a\""),
      Case("a signed number", 0, "Cache-Control: max-age=+60", "ETag: \"a\""),
      Case("a fraction", 0, "Cache-Control: max-age=60.5", "ETag: \"a\""),
      Case("an exponent", 0, "Cache-Control: max-age=6e3", "ETag: \"a\""),
      Case("a hexadecimal number", 0, "Cache-Control: max-age=0x60", "ETag: \"a\""),
      Case("not a number at all", 0, "Cache-Control: max-age=nan", "ETag: \"a\""),
      Case("infinity", 0, "Cache-Control: max-age=inf", "ETag: \"a\""),
      Case("something behind it", 0, "Cache-Control: max-age=60 s", "ETag: \"a\""),
      Case("twice", 30, "Cache-Control: max-age=60, max-age=30"),
      Case("twice, the other way", 30, "Cache-Control: max-age=30, max-age=60"),
      Case("twice, once unreadable", 0, "Cache-Control: max-age=abc, max-age=60", "ETag: \"a\""),
      Case("twice, unreadable then", 0, "Cache-Control: max-age=60, max-age=abc", "ETag: \"a\""),
      Case("Expires: 0", 0, "Expires: 0", "ETag: \"a\"", date),
      Case("Expires: -1", 0, "Expires: -1", "ETag: \"a\"", date),
      Case("an empty Expires", 0, "Expires:", "ETag: \"a\"", date),
      Case("another zone", 0, "Expires: Fri, 01 Jan 2100 00:00:00 CET", "ETag: \"a\"", date),
      Case("no zone", 0, "Expires: Fri, 01 Jan 2100 00:00:00", "ETag: \"a\"", date),
      Case("no such day", 0, "Expires: Fri, 32 Jan 2100 00:00:00 GMT", "ETag: \"a\"", date),
      Case("Expires in the past", 0, "Expires: @-60", "ETag: \"a\"", date),
    ])
  func unreadable(_ given: Case) async throws {
    try await check(given)
  }

  @Test(
    "The age counts: Age, Date, and whichever is more",
    arguments: [
      Case("Age", 20, "Cache-Control: max-age=60", "Age: 40"),
      Case("an Age beyond the freshness", 0, "Cache-Control: max-age=60", "Age: 61"),
      Case("an Age that is no number", 60, "Cache-Control: max-age=60", "Age: old"),
      Case("a negative Age", 60, "Cache-Control: max-age=60", "Age: -40"),
      Case("an Age with a fraction", 60, "Cache-Control: max-age=60", "Age: 40.5"),
      Case("several values: the first", 20, "Cache-Control: max-age=60", "Age: 40, 50"),
      Case("several lines: the first", 20, "Cache-Control: max-age=60", "Age: 40", "Age: 0"),
      Case(
        "an Age beyond all numbers", 0, "Cache-Control: max-age=60",
        "Age: 99999999999999999999999"),
      Case("a Date of the past", 20, "Cache-Control: max-age=60", "Date: @-40"),
      Case("a Date of the future", 60, "Cache-Control: max-age=60", "Date: @+3600"),
      Case("a Date that is none", 60, "Cache-Control: max-age=60", "Date: yesterday"),
      Case("Age over a younger Date", 20, "Cache-Control: max-age=60", "Age: 40", "Date: @-10"),
      Case("Date over a smaller Age", 20, "Cache-Control: max-age=60", "Age: 10", "Date: @-40"),
      Case("a server whose clock is ahead", 60, "Expires: @+3660", "Date: @+3600"),
      Case("a server whose clock is behind", 0, "Expires: @-3540", "Date: @-3600"),
      Case("Expires without a Date", 60, "Expires: @+60"),
      Case("Expires and Age", 20, "Expires: @+60", date, "Age: 40"),
    ])
  func age(_ given: Case) async throws {
    try await check(given)
  }

  private func check(_ given: Case) async throws {
    let lab = CacheLab()
    lab.serve(.init(fields: given.fields))
    #expect(try await lab.get() == "1")
    if given.fresh > 0 {
      lab.wait(given.fresh - 1)
      #expect(try await lab.get() == "1", "fresh until \(given.fresh) s")
      lab.wait(2)
    }
    #expect(try await lab.get() == "2", "stale after \(given.fresh) s")
  }

  @Test("A number of seconds beyond all numbers is the largest, and no overflow")
  func overflow() async throws {
    for number in ["2147483648", "4294967297", "9223372036854775808", "99999999999999999999"] {
      let lab = CacheLab()
      lab.serve("Cache-Control: max-age=\(number)")
      #expect(try await lab.get() == "1")
      lab.wait(50 * 365 * 86_400)
      #expect(try await lab.get() == "1", "\(number)")
    }
  }

  @Test("The time that an answer took is part of its age")
  func delay() async throws {
    let lab = CacheLab()
    lab.serve(.init(fields: ["Cache-Control: max-age=60", "Age: 10"], delay: 30))
    #expect(try await lab.get() == "1")
    lab.wait(19)
    #expect(try await lab.get() == "1")
    lab.wait(2)
    #expect(try await lab.get() == "2")
  }

  @Test("An answer that the cache gives tells its age, in place of what it came with")
  func ageOfAnswers() async throws {
    let lab = CacheLab()
    lab.serve("Cache-Control: max-age=600", "Age: 40")
    #expect(try await lab.send().header("Age") == "40")
    lab.wait(100)
    #expect(try await lab.send().header("Age") == "140")
    lab.wait(1000)
    #expect(try await lab.send(policy: { $0.mode = .offline }).header("Age") == "1140")
  }

  @Test("An answer of the future, by a clock that was set back, is not used unasked")
  func clockSetBack() async throws {
    let lab = CacheLab()
    lab.serve("Cache-Control: max-age=60")
    lab.wait(86_400)
    #expect(try await lab.get() == "1")
    lab.wait(-86_400)
    #expect(try await lab.get() == "2")
  }

  @Test("A declared time stands in place of what the server says, either way")
  func declaredTime() async throws {
    for fields in [["Cache-Control: max-age=600"], ["Cache-Control: no-cache"], [], ["Expires: 0"]]
    {
      let lab = CacheLab()
      lab.serve(.init(fields: fields))
      let policy: (inout CachePolicy) -> Void = { $0.ttl = .seconds(60) }
      #expect(try await lab.get(policy: policy) == "1")
      lab.wait(59)
      #expect(try await lab.get(policy: policy) == "1")
      lab.wait(2)
      #expect(try await lab.get(policy: policy) == "2")
    }
  }
}
