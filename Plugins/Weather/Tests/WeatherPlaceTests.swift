import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateWeather

@Suite struct WeatherPlaceTests {
  @Test(arguments: [
    ("Paris", "Paris|-|-"), (" New   York ", "New York|-|-"), ("Paris, fr", "Paris|-|FR"),
    ("Paris, TX, US", "Paris|TX|US"), ("Paris,Texas,us", "Paris|Texas|US"),
    ("Paris, France", "Paris|-|FR"),
    ("Paris, TX, USA", "Paris|TX|US"), ("London, UK", "London|-|GB"),
    ("London, England", "London|-|GB"),
    ("Austin, TX", "Austin|TX|US"), ("Austin, Texas", "Austin|Texas|US"),
    ("Toronto, on", "Toronto|on|CA"),
    ("Los Angeles, CA", "Los Angeles|-|CA"), ("Tbilisi, georgia", "Tbilisi|-|GE"),
    ("Paris, XX", nil),
    ("Paris, Texas, XX", nil), ("Seoul, South Korea", "Seoul|-|KR"),
    ("Pristina, xk", "Pristina|-|XK"), ("a,b,c,FR", nil), ("", nil), (",FR", nil), ("a,,FR", nil),
    ("a, 12", nil),
  ])
  func namesHaveUpToThreeParts(_ text: String, _ parts: String?) {
    let name = PlaceName(text)
    #expect(
      name.map { [$0.name, $0.region ?? "-", $0.country ?? "-"].joined(separator: "|") } == parts)
  }

  private func found(_ country: String, _ region: String, _ latitude: Int) -> String {
    #"{"name":"Paris","country_code":"\#(country)","admin1":"\#(region)","admin2":"County","#
      + #""latitude":\#(latitude),"longitude":1}"#
  }

  private func latitude(_ place: String) async throws -> [String?] {
    let all = [
      found("FR", "Île-de-France", 1), found("US", "Tennessee", 2), found("US", "Texas", 3),
      found("CA", "Ontario", 4),
    ]
    let client = RecordedClient([
      .to("/search", giving: #"{"results":[\#(all.joined(separator: ","))]}"#),
      .to("/forecast", giving: #"{"current":{"time":"2024-01-01T00:00","temperature_2m":1}}"#),
    ])
    let provider = try ProviderHarness.make(WeatherProvider.self, "places: [\"\(place)\"]")
    return try await ProviderHarness.column(
      "lat", of: ProviderHarness.run(provider, client))
  }

  @Test(arguments: [
    ("Paris", "1"), ("Paris, US", "2"), ("Paris, TX, US", "3"), ("Paris, texas, us", "3"),
    ("Paris, tn, US", "2"), ("Paris, ON, CA", "4"), ("Paris, Île-de-France, FR", "1"),
    ("Paris, County, CA", "4"),
  ])
  func regionChoosesAmongPlacesOfOneName(_ place: String, _ expected: String) async throws {
    #expect(try await latitude(place) == [expected])
  }

  @Test func unknownRegionIsToldWithTheRegionsThereAre() async {
    let error = await #expect(throws: AggregateError.self) { try await latitude("Paris, OH, US") }
    #expect(error?.message == "no place called “Paris, OH, US” was found by open-meteo")
    #expect(error?.hint == "found in Tennessee, Texas")
  }

  @Test func openWeatherMapIsAskedForTheRegion() async throws {
    let client = RecordedClient([
      .to(
        "/direct",
        giving: #"[{"name":"Paris","country":"US","state":"Texas","lat":3,"lon":1}]"#),
      .to("/weather", giving: #"{"cod":200,"dt":0,"main":{"temp":1}}"#),
    ])
    let provider = try ProviderHarness.make(
      WeatherProvider.self, "places: [\"Paris, TX, US\"]\nservice: openweathermap\napi_key: k")
    let batches = try await ProviderHarness.run(provider, client)
    #expect(ProviderHarness.column("lat", of: batches) == ["3"])
    #expect(client.requests[0].url.queryItems.first?.value == "Paris,TX,US")
  }
}
