public import AggregateCore

/// The weather at places: current, by the hour, by the day; from Open-Meteo or OpenWeatherMap.
///
/// Each place is one partition. Several services are asked in order until one answers.
public struct WeatherProvider: Provider {
  let places: [Place]
  private let mode: Mode
  private let period: Period
  private let services: [any WeatherService]
  private let mapper: WeatherMapper

  /// Creates a provider from its options.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    places = Self.places(options.nodes("places") ?? [], &diagnostics)
    mode = options.text("mode").flatMap(Mode.init) ?? .current
    period = Period(options, mode, &diagnostics)
    mapper = WeatherMapper(units: options.text("units").flatMap(WeatherUnits.init) ?? .metric)
    if places.isEmpty, !diagnostics.hasErrors {
      diagnostics.error(
        "missing-key", "“places” is empty", at: options.location("places"),
        hint: "name at least one place, such as London or “Paris, FR”")
    }
    services = (options.texts("service") ?? []).compactMap {
      Self.service($0, options, &diagnostics)
    }
    if case .past = period, services.contains(where: { $0 is OpenWeatherMap }) {
      diagnostics.error(
        "bad-combination", "openweathermap does not give the past", at: options.location("start"),
        hint: "leave out “service”: open-meteo gives it")
    } else if mode == .hourly, services.contains(where: { $0 is OpenWeatherMap }) {
      diagnostics.error(
        "bad-combination", "openweathermap has no hourly forecast", at: options.location("mode"),
        hint: "“mode: forecast” gives one every three hours")
    }
  }

  /// The columns, known in advance.
  public var schema: Schema? { mapper.schema }

  /// Reads the places, several at a time, and emits their rows in the order declared.
  public func rows(_ context: ProviderContext) async throws {
    let usable = try services(context)
    try await OrderedPartitions.run(
      context,
      produce: { yield in
        for place in places { try await yield(place) }
      },
      read: { place, context in try await read(place, usable, context) })
  }

  /// The services that can be asked; one without its key is left out while there is another.
  private func services(_ context: ProviderContext) throws -> [any WeatherService] {
    guard context.isLive else { return services }
    let usable = services.filter { $0.missingKey == nil }
    for service in services {
      guard let problem = service.missingKey else { continue }
      if usable.isEmpty { throw problem }
      context.log.warn("\(context.source): \(service.name) is left out: \(problem.message)")
    }
    return usable
  }

  /// One request per place: its coordinates where they are not declared, else its weather.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    guard let service = services.first else { return [] }
    return try places.map { place in
      switch place {
      case .named(let name): try service.locating(name)
      case .located(let location): try service.request(for: location, mode, period)
      }
    }
  }

  /// One answer per place.
  public var plan: ProviderPlan {
    var plan = ProviderPlan()
    plan.paging = ProviderPlan.Paging(kind: "none", parameters: [], ends: [])
    plan.keys = [ProviderPlan.Key(name: "places", origin: .list, count: places.count)]
    plan.knowsPartitions = true
    return plan
  }

  private func read(
    _ place: Place, _ services: [any WeatherService], _ context: ProviderContext
  ) async throws {
    for (index, service) in services.enumerated() {
      do {
        let location = try await locate(place, service, context)
        let request = try service.request(for: location, mode, period)
        let response = try await context.http.send(request)
        var readings = try service.readings(in: service.decode(response), mode)
        if mode == .daily, let days = period.days { readings = Array(readings.prefix(days)) }
        var rows = BatchBuilder(schema: mapper.schema)
        try mapper.map(
          readings, of: WeatherMapper.Origin(location: location, service: service.name), into: &rows
        )
        let batch = rows.finish()
        for (measure, kind, text) in readings.flatMap(\.unreadable) {
          try context.log.lost(
            column: measure.column, kind: kind, count: 1,
            example: "\(text) of \(place.shown)")
        }
        if batch.rowCount > 0 { try await context.emit(batch, from: WorkOrigin(response)) }
        return
      } catch let error as AggregateError where index + 1 < services.count {
        context.log.warn(
          "\(context.source): \(place.shown): \(service.name) failed, asking "
            + "\(services[index + 1].name): \(error.message)")
      } catch let error as AggregateError {
        throw Self.explained(error, place, service, after: services[..<index])
      }
    }
  }

  private func locate(
    _ place: Place, _ service: any WeatherService, _ context: ProviderContext
  ) async throws -> Location {
    switch place {
    case .located(let location): return location
    case .named(let name):
      let request = try service.locating(name)
      let found = try service.locations(in: service.decode(try await context.http.send(request)))
      guard var location = found.first(where: name.fits) else {
        var hint = Self.elsewhere(name, found)
        if found.isEmpty, let near = await nearest(to: name, service, context) {
          hint = "did you mean “\(near)”?"
        }
        throw AggregateError(
          .rejected, "no place called “\(place.shown)” was found by \(service.name)", hint: hint)
      }
      // The services call one place by several names (“New York”, “New York County”): rows of both, and
      // of one that stands in for the other, are to have the same.
      if !name.isPostalCode { location.name = name.name }
      return location
    }
  }

  /// The name most like one that was not found, with its country.
  private func nearest(
    to name: PlaceName, _ service: any WeatherService, _ context: ProviderContext
  ) async -> String? {
    guard let request = try? service.locatingLike(name),
      let response = try? await context.http.send(request),
      let found = try? service.locations(in: service.decode(response))
    else { return nil }
    guard let near = Suggestions.nearest(to: name.name, in: found.map(\.name)).first,
      let location = found.first(where: { $0.name == near })
    else { return nil }
    return [near, location.country].compactMap(\.self).joined(separator: ", ")
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

  private static func explained(
    _ error: AggregateError, _ place: Place, _ service: any WeatherService,
    after others: ArraySlice<any WeatherService>
  ) -> AggregateError {
    var error = error
    if !error.message.contains(place.shown) { error.message = "\(place.shown): \(error.message)" }
    if !others.isEmpty {
      error.message += "; \(others.map(\.name).joined(separator: " and ")) failed before it"
    }
    if let hint = error.status.flatMap(service.hint) { error.hint = hint }
    if error.hint == nil {
      error.hint =
        error.code == .unavailable
        ? service.hint(for: 503) : "is the address in “base_urls” one of \(service.name)?"
    }
    // A second service is no advice where there is one.
    if !others.isEmpty, error.hint == service.hint(for: 503) { error.hint = "try again later" }
    return error
  }

  /// The places, each once: a place and a date have one row.
  private static func places(_ nodes: [Node], _ diagnostics: inout Diagnostics) -> [Place] {
    var places: [Place] = []
    for node in nodes {
      guard let place = place(node, &diagnostics) else { continue }
      if places.contains(place) {
        diagnostics.warning(
          "duplicate-place", "“places” names \(place.shown) twice", at: node.location,
          hint: "it is read once")
      } else {
        places.append(place)
      }
    }
    return places
  }

  private static func place(_ node: Node, _ diagnostics: inout Diagnostics) -> Place? {
    if let text = node.string {
      guard let name = PlaceName(text) else {
        diagnostics.error(
          "bad-place", "“places”: “\(text)” is neither a name nor a name with a country",
          at: node.location,
          hint: "write London, “Paris, FR” or “Paris, TX, US”, with the country's two letters, or "
            + "lat, lon and name")
        return nil
      }
      return .named(name)
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
    func base(_ key: String, isSubscriber: Bool = false) -> WebURL? {
      guard let text = bases.text(key), var url = WebURL(text) else {
        diagnostics.error(
          "bad-url", "“base_urls.\(key)” is not an address", at: bases.location(key),
          hint: "write it with http:// or https://")
        return nil
      }
      // Subscribers have hosts of their own.
      if isSubscriber, bases.given(key) == nil { url.authority = "customer-\(url.authority)" }
      return url
    }
    if name == "openweathermap" {
      guard let base = base("openweathermap") else { return nil }
      return OpenWeatherMap(
        base: base,
        access: ServiceKey(
          "api_key", of: options, service: "openweathermap", page: OpenWeatherMap.keyPage,
          variable: "OPENWEATHERMAP_KEY"))
    }
    // A key is never sent to the other service: with both, it is openweathermap's.
    let isSubscriber = !(options.texts("service") ?? []).contains("openweathermap")
    let key = isSubscriber ? options.text("api_key") : nil
    guard let forecast = base("open-meteo", isSubscriber: key != nil),
      let archive = base("archive", isSubscriber: key != nil),
      let geocoding = base("geocoding", isSubscriber: key != nil)
    else { return nil }
    return OpenMeteo(
      forecastBase: forecast, archiveBase: archive, geocodingBase: geocoding, key: key)
  }
}
