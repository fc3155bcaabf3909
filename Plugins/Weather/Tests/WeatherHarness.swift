import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

@testable import AggregateWeather

/// Runs of the provider over answers in memory, and what they say beside their rows.
enum WeatherHarness {
  /// Both services, the second standing in for the first.
  static let both = "service: [open-meteo, openweathermap]\napi_key: k3y-of-owm"

  /// The rows of a run, with what was told.
  static func run(
    _ yaml: String, _ client: any HTTPClient, isStrict: Bool = false, patience: Duration? = nil,
    jobs: Int = 8
  ) async throws -> (batches: [Batch], told: [String]) {
    let told = Collected()
    let log = RunLog(level: .normal, isStrict: isStrict) { told.add("\($0)") }
    var provider = try ProviderHarness.make(WeatherProvider.self, yaml)
    if let patience, var weather = provider as? WeatherProvider {
      weather.patience = patience
      provider = weather
    }
    let batches = try await ProviderHarness.run(provider, client, jobs: jobs, log: log)
    log.reportLosses()
    return (batches, told.lines)
  }

  /// The same, over answers.
  static func run(
    _ yaml: String, _ answers: [RecordedClient.Answer], isStrict: Bool = false
  ) async throws -> (batches: [Batch], told: [String]) {
    try await run(yaml, RecordedClient(answers), isStrict: isStrict)
  }

  /// The days of one spot, from one answer of a service.
  static func days(
    _ answer: RecordedClient.Answer, _ service: String = ""
  ) async throws -> (batches: [Batch], told: [String]) {
    try await run("\(WeatherProviderTests.spot)\n\(service)\nmode: daily", [answer])
  }

  /// The error of a run that has one.
  static func failure(_ yaml: String, _ answers: [RecordedClient.Answer]) async -> AggregateError? {
    await #expect(throws: AggregateError.self) { try await run(yaml, answers) }
  }

  /// An answer of Open-Meteo by the day.
  static func daily(_ values: String, offset: Int = 0) -> RecordedClient.Answer {
    .to("/forecast?", giving: #"{"utc_offset_seconds":\#(offset),"daily":{\#(values)}}"#)
  }

  /// Open-Meteo's geocoding: what begins like a name, as there.
  static func geocoding(_ places: [String: String]) -> [RecordedClient.Answer] {
    places.sorted { $0.key < $1.key }.map { name, results in
      .to("/search?name=\(name)&", giving: #"{"results":[\#(results)]}"#)
    } + [.to("/search?", giving: #"{"generationtime_ms":0.1}"#)]
  }

  /// A place as Open-Meteo's geocoding has it.
  static func place(
    _ name: String, _ country: String, _ region: String?, _ latitude: Double, _ longitude: Double
  ) -> String {
    let admin = region.map { #","admin1":"\#($0)""# } ?? ""
    return
      #"{"name":"\#(name)","country_code":"\#(country)"\#(admin),"latitude":\#(latitude),"longitude":\#(longitude)}"#
  }
}

/// Lines that a log was told.
final class Collected: Sendable {
  private let state = Mutex<[String]>([])
  var lines: [String] { state.withLock { $0 } }
  func add(_ line: String) { state.withLock { $0.append(line) } }
}
