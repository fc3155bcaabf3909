import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateWeather

/// Rows of weather worked out from an answer by another path: Foundation's JSON, paths and calendar.
struct ExpectedWeather {
  /// By column, in metric units; what is not there is null.
  var numbers: [String: Double] = [:]
  var texts: [String: String] = [:]
  /// Seconds since 1970.
  var seconds: Int?
  /// Seconds that the local clock is ahead.
  var offset = 0

  /// The columns of numbers that have units.
  static let measures = [
    "temp", "temp_min", "temp_max", "feels_like", "humidity", "pressure", "wind_speed", "wind_gust",
    "wind_direction", "clouds", "precipitation", "snow",
  ]

  /// Local date and second of the day.
  static func local(_ seconds: Int, _ offset: Int) -> (date: String, second: Int) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: offset) ?? .gmt
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second],
      from: Date(timeIntervalSince1970: TimeInterval(seconds)))
    return (
      String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0),
      (parts.hour ?? 0) * 3600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0)
    )
  }

  /// A metric value in a system of units.
  static func converted(_ value: Double, _ column: String, _ units: String) -> Double {
    let isTemperature = column.hasPrefix("temp") || column == "feels_like"
    switch units {
    case "imperial":
      if isTemperature { return value * 1.8 + 32 }
      if column == "wind_speed" || column == "wind_gust" { return value * 3600 / 1609.344 }
      return column == "precipitation" || column == "snow" ? value / 25.4 : value
    case "standard": return isTemperature ? value + 273.15 : value
    default: return value
    }
  }

  /// Whether the rows of a run are these, every column of them.
  static func compare(
    _ batches: [Batch], _ expected: [ExpectedWeather], units: String, service: String,
    _ file: String
  ) {
    let columns = Dictionary(
      uniqueKeysWithValues: WeatherProvider.columns(.metric, []).map {
        ($0.name, ProviderHarness.column($0.name, of: batches))
      })
    let count = columns["place"]?.count ?? 0
    guard count == expected.count else {
      Issue.record("\(file): \(count) rows, not \(expected.count)")
      return
    }
    for (row, wanted) in expected.enumerated() {
      var texts = wanted.texts
      texts["place"] = "Spot"
      texts["country"] = "GB"
      texts["lat"] = "51.5"
      texts["lon"] = "-0.12"
      texts["service"] = service
      texts["time"] = wanted.seconds.map {
        Date(timeIntervalSince1970: TimeInterval($0)).formatted(.iso8601)
      }
      for (name, values) in columns {
        guard measures.contains(name) else {
          #expect(values[row] == texts[name], "\(name) of row \(row) of \(file)")
          continue
        }
        let value = wanted.numbers[name].map { converted($0, name, units) }
        let got = values[row].flatMap(Double.init)
        let isRight =
          value.map { value in got.map { abs($0 - value) < 0.0051 } ?? false } ?? (got == nil)
        #expect(
          isRight,
          "\(name) of row \(row) of \(file): \(values[row] ?? "null"), not \(value.map { "\($0)" } ?? "null")"
        )
      }
    }
  }
}
