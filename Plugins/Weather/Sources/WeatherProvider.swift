public import AggregateCore
public import AggregateJSON

/// The weather at places: current, by the hour, by the day; from Open-Meteo or OpenWeatherMap.
///
/// Each place is one partition. Several services are asked in order until one answers.
public struct WeatherProvider: EndpointProvider {
  /// The endpoint.
  public private(set) var endpoint: WeatherEndpoint
  /// The decoder.
  public let decoder = JSONBodyDecoder()
  /// The row mapper.
  public private(set) var mapper: WeatherMapper
  /// The longest time for an answer of a service while another one can be asked, unless `timeout` says more.
  public var patience = Duration.seconds(20)

  /// Creates a provider from its options.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let places = Self.places(options.nodes("places") ?? [], &diagnostics)
    let mode = options.text("mode").flatMap(Mode.init) ?? .current
    let period = Period(options, mode, &diagnostics)
    if let timeout = options.given("timeout"),
      let total = (timeout["total"] ?? timeout).string.flatMap(Quantities.duration)
    {
      patience = total
    }
    let named = options.texts("extra") ?? []
    let extra = ExtraColumn.allCases.filter { named.contains($0.rawValue) }
    let wanted = Wanted(mode: mode, period: period, extra: extra)
    mapper = WeatherMapper(
      units: options.text("units").flatMap(WeatherUnits.init) ?? .metric, wanted: wanted)
    if places.isEmpty, !diagnostics.hasErrors {
      diagnostics.error(
        "missing-key", "“places” is empty", at: options.location("places"),
        hint: "name at least one place, such as London or “Paris, FR”")
    }
    let services = Self.services(options, &diagnostics)
    endpoint = WeatherEndpoint(places, wanted, services)
    guard services.contains(where: { $0 is OpenWeatherMap }) else { return }
    if case .past = period {
      diagnostics.error(
        "bad-combination", "openweathermap does not give the past", at: options.location("start"),
        hint: "leave out “service”: open-meteo gives it")
    } else if mode == .hourly {
      diagnostics.error(
        "bad-combination", "openweathermap has no hourly forecast", at: options.location("mode"),
        hint: "“mode: forecast” gives one every three hours")
    } else if options.given("past_days") != nil {
      diagnostics.error(
        "bad-combination", "openweathermap does not give the past",
        at: options.location("past_days"), hint: "leave out “service”: open-meteo gives it")
    }
  }

  /// The provider with the services that can be asked in a run, and no place found yet.
  public func bound(to context: ProviderContext) throws -> WeatherProvider {
    var bound = self
    bound.endpoint = endpoint.asking(try services(context))
    bound.mapper.source = context.source
    return bound
  }

  /// The services that can be asked; one without its key is left out while there is another.
  private func services(_ context: ProviderContext) throws -> [any WeatherService] {
    let services = endpoint.services
    guard context.isLive else { return services }
    let usable = services.filter { $0.missingKey == nil }
    for service in services {
      guard let problem = service.missingKey else { continue }
      if usable.isEmpty { throw problem }
      context.log.warn("\(context.source): \(service.name) is left out: \(problem.message)")
    }
    return usable
  }

  /// One request per place, to the first service: its coordinates where they are not declared, else its weather.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    guard let service = endpoint.services.first else { return [] }
    return try endpoint.places.enumerated().map { index, place in
      try endpoint.request(for: PlacePart(place, index, service, PlacePart.Visit()))
    }
  }

  /// One answer per place.
  public var plan: ProviderPlan {
    var plan = ProviderPlan()
    plan.paging = ProviderPlan.Paging(kind: "none", parameters: [], ends: [])
    plan.keys = [ProviderPlan.Key(name: "places", origin: .list, count: endpoint.places.count)]
    plan.knowsPartitions = true
    let services = endpoint.services
    if services.count > 1 { plan.services = services.map { "\($0.name) (\($0.host))" } }
    return plan
  }
}
