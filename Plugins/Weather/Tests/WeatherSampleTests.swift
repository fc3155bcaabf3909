import AggregateCore
import AggregateTestSupport
import AggregateTransport
import Testing

@testable import AggregateWeather

/// What `--sample` answers: what was recorded, and nothing else under another name.
@Suite struct WeatherSampleTests {
  private func run(_ yaml: String) async throws -> [Batch] {
    let provider = try ProviderHarness.make(WeatherProvider.self, yaml)
    return try await ProviderHarness.run(
      provider, SampleClient(source: "src", samples: WeatherProvider.spec.samples))
  }

  @Test(arguments: [
    "places: Berlin", "places: londonderry", "places: [\"London, CA\"]",
    "places: [\"Paris, TX, US\"]",
    "places: {lat: 10, lon: 20}", "places: {lat: 51.5, lon: 10}", "places: {lat: 51.7, lon: -0.12}",
    "places: Berlin\n\(WeatherProviderTests.owm)",
    "places: {lat: 10, lon: 20}\n\(WeatherProviderTests.owm)",
    "places: [\"10115, DE\"]\n\(WeatherProviderTests.owm)",
    "places: London\nmode: daily\nstart: 2023-01-01",
    "places: London\nmode: daily\nstart: 2024-03-01\nend: 2024-03-04",
    "places: Paris\nmode: daily\nstart: 2024-03-01\nend: 2024-03-03",
    "places: London\nmode: daily\npast_days: 2",
  ])
  func whatWasNotRecordedIsRefused(_ yaml: String) async {
    let error = await #expect(throws: AggregateError.self) { try await run(yaml) }
    #expect(error?.message.contains("is not in the sample") == true, "\(error?.message ?? "")")
    #expect(error?.hint?.contains("the sample has London, Paris and Tokyo") == true)
  }

  @Test(arguments: ["London", "\"London, GB\"", "\"Paris, FR\"", "Tokyo", "\"Tokyo, Japan\""])
  func everyRecordedPlaceAnswersInEveryMode(_ place: String) async throws {
    let modes =
      ["current", "forecast", "hourly", "daily"].map { "mode: \($0)" }
      + ["current", "forecast", "daily"].map { "mode: \($0)\n\(WeatherProviderTests.owm)" }
    for mode in modes {
      let batches = try await run("places: [\(place)]\n\(mode)")
      #expect(batches.reduce(0) { $0 + $1.rowCount } > 0, "\(mode)")
    }
  }

  @Test func placesHaveTheirOwnWeather() async throws {
    for mode in ["current", "forecast", "daily"] {
      for service in ["", WeatherProviderTests.owm] {
        let batches = try await run("places: [London, Paris, Tokyo]\nmode: \(mode)\n\(service)")
        let places = ProviderHarness.column("place", of: batches)
        let temperatures = ProviderHarness.column("temp", of: batches)
        let first = ["London", "Paris", "Tokyo"].map { place in
          places.firstIndex(of: place).flatMap { temperatures[$0] }
        }
        #expect(Set(first).count == 3, "\(mode) \(service)")
      }
    }
  }
}
