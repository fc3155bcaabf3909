import AggregateJSON
import Testing

struct FastDoubleTests {
  private func parse(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBytes { FastDouble.parse($0) }
  }

  @Test(arguments: [
    "0", "-0", "1.10", "1E5", "1e400", "-1e400", "1e-400", "5e-324", "0.1", "9007199254740993",
    "123456789012345678901234567890", "2.2250738585072011e-308", "1.7976931348623157e308",
  ])
  func `numbers are rounded correctly`(_ text: String) throws {
    let value = try #require(parse(text))
    let expected = try #require(Double(text))
    #expect(value.bitPattern == expected.bitPattern)
  }

  @Test(arguments: [
    "", "-", "x", "nan", "inf", "-inf", "1x", "0x10", " 1", "1 ", "+1", "1e", "1-2",
  ])
  func `what is no decimal number is refused`(_ text: String) {
    #expect(parse(text) == nil)
  }
}
