import AggregateCore
import Testing

@testable import AggregateRun

@Suite struct IncrementalValueTests {
  @Test(arguments: [
    ("2024-01-05T12:00:00Z", "iso", "2024-01-05T12:00:00Z"),
    ("2024-01-05", "iso", "2024-01-05T00:00:00Z"),
    ("2024-01-05T14:00:00+02:00", "iso", "2024-01-05T12:00:00Z"),
    ("1704456000", "epoch_s", "2024-01-05T12:00:00Z"),
    ("1704456000000", "epoch_ms", "2024-01-05T12:00:00Z"),
    ("05.01.2024", "%d.%m.%Y", "2024-01-05T00:00:00Z"), ("17", "iso", "17"), ("abc", "iso", "abc"),
  ])
  func textIsReadInItsFormat(_ text: String, _ format: String, _ shown: String) {
    let value = IncrementalValue(text: text, format: format)
    #expect(value.text == shown)
    #expect(IncrementalValue(json: value.json) == value)
  }

  @Test func valuesAreWrittenInTheirFormat() {
    let value = IncrementalValue(text: "2024-01-05T12:00:00Z", format: "iso")
    #expect(value.written("epoch_s") == "1704456000")
    #expect(value.written("%Y-%m-%d") == "2024-01-05")
    #expect(value.earlier(by: .seconds(86_400)).text == "2024-01-04T12:00:00Z")
    #expect(IncrementalValue.number("9").written("iso") == "9")
  }

  @Test func numbersAreComparedAsNumbers() {
    #expect(IncrementalValue.number("9") < .number("10"))
    #expect(IncrementalValue.number("9007199254740992") < .number("9007199254740993"))
    #expect(IncrementalValue.number("1.5") < .number("2"))
    #expect(IncrementalValue.text("a") < .text("b"))
  }
}
