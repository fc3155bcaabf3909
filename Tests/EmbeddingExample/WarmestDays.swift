import AggregateCore
import AggregateProviders
import AggregateRun

/// Tells the warmest day of each place that the source `weather` has.
@main
enum WarmestDays {
  static func main() async throws {
    var settings = RunSettings()
    settings.usesSamples = true  // no network, no key; without it the service is asked
    let engine = try Engine(
      configuration: "sources.yaml", providers: Providers.all, settings: settings)

    var warmest: [String: Double] = [:]
    for try await batch in engine.rows(of: "weather") {
      guard let place = batch.schema.index(of: "place"), let temp = batch.schema.index(of: "temp")
      else { continue }
      for row in 0..<batch.rowCount {
        let name = batch.columns[place].value(at: row).displayText
        let text = batch.columns[temp].value(at: row).displayText
        guard let degrees = Double(text) else { continue }
        warmest[name] = max(degrees, warmest[name] ?? degrees)
      }
    }
    for (place, degrees) in warmest.sorted(by: { $0.key < $1.key }) {
      print("\(place): \(degrees)")
    }
  }
}
