import AggregateCore
import Testing

@Suite struct QuantitiesTests {
  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("1.5s", .milliseconds(1500)), ("5 min", .seconds(300)),
    ("5m", .seconds(300)), ("1h", .seconds(3600)), ("2d", .seconds(172_800)), ("0s", .zero),
    ("30", nil), ("s", nil), ("-1s", nil), ("1x", nil), ("", nil), ("1e99s", nil), ("1 2s", nil),
    ("99999999999999999999d", nil),
  ])
  func durationsHaveUnits(_ text: String, _ wanted: Duration?) {
    #expect(Quantities.duration(text) == wanted)
  }

  @Test(arguments: [
    ("512B", 512), ("10kB", 10_000), ("50 MB", 50_000_000), ("1GiB", 1 << 30), ("1.5kib", 1536),
    ("50", nil), ("5XB", nil), ("-1B", nil), ("9999999TB", nil),
  ])
  func sizesHaveUnits(_ text: String, _ wanted: Int?) {
    #expect(Quantities.size(text) == wanted)
  }

  @Test(arguments: [
    ("60/min", Quantities.Rate(count: 60, seconds: 60)), ("5/s", .init(count: 5, seconds: 1)),
    ("1000 / h", .init(count: 1000, seconds: 3600)),
    ("100/day", .init(count: 100, seconds: 86_400)),
    ("450/15min", .init(count: 450, seconds: 900)), ("1/10 s", .init(count: 1, seconds: 10)),
    ("5/0s", nil), ("5/15", nil),
    ("0/s", nil), ("60", nil), ("60/fortnight", nil), ("/s", nil), ("1/s/s", nil), ("1.5/s", nil),
  ])
  func ratesCountPerUnit(_ text: String, _ wanted: Quantities.Rate?) {
    #expect(Quantities.rate(text) == wanted)
  }
}
