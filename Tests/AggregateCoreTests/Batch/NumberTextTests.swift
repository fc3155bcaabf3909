import AggregateCore
import Testing

@Suite struct NumberTextTests {
  @Test(arguments: ["0", "-0", "1", "-17", "123456789012345678901234567890"])
  func wholeNumbersAreIntegers(_ text: String) { #expect(NumberText.kind(text) == .integer) }

  @Test(arguments: ["0.5", "1.10", "-0.0", "1e5", "1E+5", "2e-3", "1.5e400", "0e0"])
  func fractionsAndExponentsAreReal(_ text: String) { #expect(NumberText.kind(text) == .real) }

  @Test(arguments: [
    "", "-", "007", "00", "-01", "+1", "1_000", "0x1F", ".5", "5.", "1.e5", "1e", "1e+", " 1", "1 ",
    "NaN", "Infinity", "1,5", "١", "--1", "1-", "1.2.3", "1e5.5", "0.5e", "é",
  ])
  func everythingElseIsText(_ text: String) { #expect(NumberText.kind(text) == nil) }

  private func int64(_ text: String) -> Int64? {
    Array(text.utf8).withUnsafeBytes { NumberText.int64($0) }
  }

  @Test(arguments: [0, 1, -1, 42, Int64.max, .min, .max - 1, .min + 1])
  func integersAreExact(_ value: Int64) { #expect(int64(String(value)) == value) }

  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "99999999999999999999", "", "-", "1.0", "+1",
    "1a",
  ])
  func whatIsTooLargeOrNoIntegerIsNil(_ text: String) { #expect(int64(text) == nil) }

  @Test(arguments: [0.1, 1.0, -2.5, 1e16, 1e-7, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
  func shortestTextReadsBack(_ value: Double) {
    let text = NumberText.shortest(value)
    #expect(Double(text) == value)
    #expect(NumberText.kind(text) == .real)
  }
}
