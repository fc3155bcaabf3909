import AggregateCore
import AggregateJSON

extension WeatherEndpoint {
  /// Where a place is, by the answer to ``WeatherService/locating(_:)``.
  func locate(
    _ name: PlaceName, in answer: JSONDocument, _ part: PlacePart, _ context: ProviderContext
  ) async throws -> Location {
    let service = part.service
    let found = try service.locations(in: answer)
    guard var location = found.first(where: name.fits) else {
      throw AggregateError(
        .rejected, "no place called “\(part.place.shown)” was found by \(service.name)",
        hint: await hint(for: name, found, service, context.http))
    }
    // The services call one place by several names (“New York”, “New York County”): rows of both, and
    // of one that stands in for the other, are to have the same.
    location.name = name.called
    location.country = location.country?.uppercased() ?? name.country
    return location
  }

  /// What may help when a place is not among those that were found.
  private func hint(
    for name: PlaceName, _ found: [Location], _ service: any WeatherService,
    _ client: any HTTPClient
  ) async -> String {
    if found.isEmpty {
      if let near = await nearest(to: name, service, client) { return "did you mean “\(near)”?" }
      if let hint = service.missing(name) { return hint }
      // Many codes of states are those of countries too.
      if let country = name.country, name.region == nil, !name.isPostalCode,
        let state = Regions.name(of: country, in: "US"), let meant = Countries.name(of: country)
      {
        return "“\(country)” is \(meant); for \(state) write “\(name.name), \(country), US”"
      }
    }
    return Self.elsewhere(name, found)
  }

  /// The name most like one that was not found, with its country.
  private func nearest(
    to name: PlaceName, _ service: any WeatherService, _ client: any HTTPClient
  ) async -> String? {
    for request in (try? service.locatingLike(name)) ?? [] {
      guard let response = try? await client.send(request),
        let found = try? service.locations(in: service.decode(response))
      else { return nil }
      if let near = Suggestions.nearest(to: name.name, in: found.map(\.name)).first,
        let location = found.first(where: { $0.name == near })
      {
        return location.shown
      }
    }
    return nil
  }

  /// Where else there are places of the name: in which regions of the country, or countries.
  private static func elsewhere(_ name: PlaceName, _ found: [Location]) -> String {
    let inCountry = found.filter { $0.country == name.country }
    let regions = inCountry.compactMap(\.regions?.first)
    let all = name.region != nil && !regions.isEmpty ? regions : found.compactMap(\.country)
    var distinct: [String] = []
    for name in all where !distinct.contains(name) { distinct.append(name) }
    if distinct.isEmpty { return "check the spelling, or give lat, lon and name" }
    return "found in \(distinct.prefix(12).joined(separator: ", "))"
  }
}
