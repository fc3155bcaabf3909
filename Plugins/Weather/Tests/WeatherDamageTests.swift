import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateWeather

/// Answers in which one value is something else: no crash, no row lost, and errors that name the place.
@Suite struct WeatherDamageTests {
  /// An answer of a service, by the samples: what it is asked with, and how many rows it gives.
  static let asked = [
    ("current=", "mode: current"), ("hourly=", "mode: hourly"), ("daily=", "mode: daily"),
    ("/data/2.5/weather", "mode: current\n\(WeatherProviderTests.owm)"),
    ("/data/2.5/forecast", "mode: forecast\n\(WeatherProviderTests.owm)"),
    ("/data/2.5/forecast", "mode: daily\n\(WeatherProviderTests.owm)"),
  ]

  /// What is put in the place of a value.
  static let substitutes = ["null", "\"x\"", "{}", "[]", "-1", "true", "1e308", "\"\"", "[[1]]"]

  /// The places of the values in a document, of lists the first element only.
  private func paths(_ value: Any, _ path: [String] = []) -> [[String]] {
    var found = path.isEmpty ? [] : [path]
    if let object = value as? [String: Any] {
      for key in object.keys.sorted() { found += paths(object[key] ?? 0, path + [key]) }
    } else if let list = value as? [Any], let first = list.first {
      found += paths(first, path + ["0"])
    }
    return found
  }

  private func replacing(_ value: Any, _ path: ArraySlice<String>, _ new: Any) -> Any {
    guard let key = path.first else { return new }
    if var object = value as? [String: Any] {
      object[key] = replacing(object[key] ?? 0, path.dropFirst(), new)
      return object
    }
    if var list = value as? [Any], let index = Int(key), index < list.count {
      list[index] = replacing(list[index], path.dropFirst(), new)
      return list
    }
    return value
  }

  @Test(arguments: asked)
  func anyValueMayBeAnything(_ address: String, _ yaml: String) async throws {
    let sample = try #require(
      WeatherProvider.spec.samples.first { $0.matching.contains { $0.hasPrefix(address) } })
    let whole = try JSONSerialization.jsonObject(with: Data(sample.body()))
    let provider = try ProviderHarness.make(
      WeatherProvider.self, "\(WeatherProviderTests.spot)\n\(yaml)")
    func rows(_ document: Any) async throws -> Int {
      let body = [UInt8](try JSONSerialization.data(withJSONObject: document))
      let batches = try await ProviderHarness.run(
        provider, RecordedClient([RecordedClient.Answer(body: body) { _ in true }]))
      return batches.reduce(0) { $0 + $1.rowCount }
    }
    let count = try await rows(whole)
    #expect(count > 0)
    var errors = 0
    for path in paths(whole) {
      // What rows there are depends on these.
      let isTimes = ["list", "time", "dt"].contains(path.last)
      for text in Self.substitutes {
        let new = try JSONSerialization.jsonObject(
          with: Data(text.utf8), options: .fragmentsAllowed)
        let what = "\(path.joined(separator: ".")) as \(text)"
        do {
          let found = try await rows(replacing(whole, path[...], new))
          #expect(isTimes || found == count, "\(what): \(found) rows, not \(count)")
        } catch let error as AggregateError {
          errors += 1
          #expect(error.message.contains("Spot"), "\(what): \(error)")
          #expect(error.hint != nil, "\(what): \(error)")
        }
      }
    }
    #expect(errors > 0)
  }
}
