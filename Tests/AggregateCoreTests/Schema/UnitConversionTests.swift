import AggregateCore
import AggregateTestSupport
import Testing

@Suite struct UnitConversionTests {
  @Test(arguments: [
    (10.5, "°C", "°F", 50.9), (50.9, "°F", "°C", 10.5), (283.65, "K", "°C", 10.5),
    (0, "°C", "K", 273.15), (-40, "°F", "°C", -40), (36, "km/h", "m/s", 10),
    (10, "m/s", "mph", 22.36936292), (1, "in", "mm", 25.4), (1013, "hPa", "Pa", 101_300),
    (29.92, "inHg", "hPa", 1013.207481), (2, "h", "min", 120), (1, "mi", "km", 1.609344),
  ])
  func aValueKeepsItsMeaning(_ value: Double, _ from: String, _ to: String, _ expected: Double)
    throws
  {
    let conversion = try #require(UnitConversion(from: from, to: to))
    #expect(conversion(value) == expected)
    let back = try #require(UnitConversion(from: to, to: from))
    #expect(abs(back(conversion(value)) - value) <= abs(value) * 1e-8)
  }

  @Test(arguments: [("°C", "m"), ("%", "m"), ("m", "%"), ("", "m"), ("mm", "kg"), ("C", "K")])
  func otherQuantitiesAreNotConverted(_ from: String, _ to: String) {
    #expect(UnitConversion(from: from, to: to) == nil)
  }

  private func batch(_ unit: String?, _ values: [Value]) -> Batch {
    var rows = BatchBuilder(schema: Schema([ColumnSpec("temp", .number, unit: unit)]))
    for value in values {
      rows.append(value)
      rows.endRow()
    }
    return rows.finish()
  }

  @Test func mergedColumnsHaveTheUnitOfTheFirst() throws {
    let values: [Value] = [.number("50.9"), .null, .int(32), .text("n/a"), .number("1e400")]
    let metric = batch("°C", [.number("1.50")])
    let imperial = batch("°F", values)
    let union = Schema.union([metric.schema, imperial.schema])
    #expect(union.columns.map(\.unit) == ["°C"])
    // What is in the right unit keeps its digits.
    #expect(try metric.adapted(to: union).columns[0].value(at: 0) == .number("1.50"))
    let adapted = try imperial.adapted(to: union).columns[0]
    #expect((0..<5).map { adapted.value(at: $0).displayText } == ["10.5", "", "0", "n/a", ""])
  }

  @Test func differentQuantitiesHaveNoUnitTogether() throws {
    let union = Schema.union([batch("°C", []).schema, batch("%", []).schema])
    #expect(union.columns.map(\.unit) == [nil])
    #expect(try batch("%", [.int(5)]).adapted(to: union).columns[0].value(at: 0).displayText == "5")
  }
}
