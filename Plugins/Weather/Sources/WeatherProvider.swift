public import AggregateCore

/// The weather at places: current, by the hour, by the day; from Open-Meteo or OpenWeatherMap.
///
/// Each place is one partition. Several services are asked in order until one answers.
public struct WeatherProvider: Provider {
  let places: [Place]
  private let mode: Mode
  private let days: Int?
  private let services: [any WeatherService]
  private let mapper: WeatherMapper

  /// Creates a provider from its options.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    places = (options.nodes("places") ?? []).compactMap { Self.place($0, &diagnostics) }
    mode = options.text("mode").flatMap(Mode.init) ?? .current
    days = options.int("days")
    mapper = WeatherMapper(units: options.text("units").flatMap(WeatherUnits.init) ?? .metric)
    if places.isEmpty, !diagnostics.hasErrors {
      diagnostics.error(
        "missing-key", "“places” is empty", at: options.location("places"),
        hint: "name at least one place, such as London or “Paris, FR”")
    }
    services = (options.texts("service") ?? []).compactMap {
      Self.service($0, options, &diagnostics)
    }
    if mode == .hourly, services.contains(where: { $0 is OpenWeatherMap }) {
      diagnostics.error(
        "bad-combination", "openweathermap has no hourly forecast", at: options.location("mode"),
        hint: "“mode: forecast” gives one every three hours")
    }
  }

  /// The columns, known in advance.
  public var schema: Schema? { mapper.schema }

  /// Reads the places, several at a time, and emits their rows in the order declared.
  public func rows(_ context: ProviderContext) async throws {
    try await OrderedPartitions.run(
      context,
      produce: { yield in
        for place in places { try await yield(place) }
      },
      read: { place, context in try await read(place, context) })
  }

  /// One request per place: its coordinates where they are not declared, else its weather.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    guard let service = services.first else { return [] }
    return try places.map { place in
      switch place {
      case .named(let name, let country): try service.locating(name, country: country)
      case .located(let location): try service.request(for: location, mode, days: days)
      }
    }
  }

  private func read(_ place: Place, _ context: ProviderContext) async throws {
    for (index, service) in services.enumerated() {
      do {
        let location = try await locate(place, service, context)
        let request = try service.request(for: location, mode, days: days)
        let response = try await context.http.send(request)
        var readings = try service.readings(in: service.decode(response), mode)
        if mode == .daily, let days { readings = Array(readings.prefix(days)) }
        var rows = BatchBuilder(schema: mapper.schema)
        try mapper.map(
          readings, of: WeatherMapper.Origin(location: location, service: service.name), into: &rows
        )
        let batch = rows.finish()
        if batch.rowCount > 0 { try await context.emit(batch, from: WorkOrigin(response)) }
        return
      } catch let error as AggregateError where index + 1 < services.count {
        context.log.warn(
          "\(context.source): \(place.shown): \(service.name) failed, asking "
            + "\(services[index + 1].name): \(error.message)")
      } catch let error as AggregateError {
        throw Self.explained(error, place, service)
      }
    }
  }

  private func locate(
    _ place: Place, _ service: any WeatherService, _ context: ProviderContext
  ) async throws -> Location {
    switch place {
    case .located(let location): return location
    case .named(let name, let country):
      let request = try service.locating(name, country: country)
      let found = try service.locations(in: service.decode(try await context.http.send(request)))
      let fitting = found.filter { location in
        country == nil || location.country == nil || location.country == country?.uppercased()
      }
      guard let location = fitting.first else {
        throw AggregateError(
          .rejected, "no place called “\(place.shown)” was found by \(service.name)",
          hint: found.isEmpty
            ? "check the spelling, or give lat, lon and name"
            : "found in \(found.compactMap(\.country).joined(separator: ", "))")
      }
      return location
    }
  }

  private static func explained(
    _ error: AggregateError, _ place: Place, _ service: any WeatherService
  ) -> AggregateError {
    var error = error
    if !error.message.contains(place.shown) { error.message = "\(place.shown): \(error.message)" }
    if let hint = error.status.flatMap(service.hint) { error.hint = hint }
    return error
  }

  private static func place(_ node: Node, _ diagnostics: inout Diagnostics) -> Place? {
    if let text = node.string {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
        part.split(separator: " ").joined(separator: " ")
      }
      let country = parts.count == 2 ? parts[1].uppercased() : nil
      let isCountry = country.map { $0.utf8.count == 2 && $0.allSatisfy(\.isLetter) } ?? true
      guard parts.count <= 2, let name = parts.first, !name.isEmpty, isCountry else {
        diagnostics.error(
          "bad-place", "“places”: “\(text)” is neither a name nor a name with a country",
          at: node.location,
          hint: "write London, or “Paris, FR” with the country's two letters, or lat, lon and name")
        return nil
      }
      return .named(name, country: country)
    }
    let options = Options(node, specs: placeSpecs)
    guard let latitude = options.number("lat"), let longitude = options.number("lon") else {
      diagnostics.error(
        "bad-place", "“places”: a place without coordinates", at: node.location,
        hint: "write { lat: 35.68, lon: 139.69, name: Tokyo }")
      return nil
    }
    if abs(latitude) > 90 || abs(longitude) > 180 {
      diagnostics.error(
        "out-of-range", "there is no place at \(latitude), \(longitude)", at: node.location,
        hint: "lat is from -90 to 90, lon from -180 to 180")
    }
    let name = options.text("name") ?? "\(latitude),\(longitude)"
    return .located(
      Location(
        name: name, country: options.text("country"), latitude: latitude, longitude: longitude))
  }

  private static func service(
    _ name: String, _ options: Options, _ diagnostics: inout Diagnostics
  ) -> (any WeatherService)? {
    let bases =
      options.options("base_urls", specs: baseSpecs)
      ?? Options(Node(.mapping([]), at: options.node.location), specs: baseSpecs)
    func base(_ key: String) -> WebURL? {
      guard let text = bases.text(key), let url = WebURL(text) else {
        diagnostics.error(
          "bad-url", "“base_urls.\(key)” is not an address", at: bases.location(key),
          hint: "write it with http:// or https://")
        return nil
      }
      return url
    }
    if name == "openweathermap" {
      guard let base = base("openweathermap") else { return nil }
      return OpenWeatherMap(base: base, key: options.text("api_key"))
    }
    guard let forecast = base("open-meteo"), let geocoding = base("geocoding") else { return nil }
    return OpenMeteo(forecastBase: forecast, geocodingBase: geocoding)
  }
}
