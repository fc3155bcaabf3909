public import AggregateCore
public import AggregateJSON

/// From places to requests: where a place is, unless that is declared, then its weather; from the first service
/// that has it.
public struct WeatherEndpoint: Endpoint {
  /// What the decoder makes of a body.
  public typealias Payload = JSONDocument

  let places: [Place]
  let wanted: Wanted
  /// Those that can be asked, in order.
  var services: [any WeatherService]
  /// The places of a run as they were found.
  private let register: PlaceRegister

  init(_ places: [Place], _ wanted: Wanted, _ services: [any WeatherService]) {
    self.places = places
    self.wanted = wanted
    self.services = services
    register = PlaceRegister(count: places.count)
  }

  /// The same places in a run that asks `services`.
  func asking(_ services: [any WeatherService]) -> WeatherEndpoint {
    WeatherEndpoint(places, wanted, services)
  }

  /// The places, as declared.
  public func parts(
    _ context: ProviderContext, yield: (PlacePart) async throws -> Void
  ) async throws {
    guard let first = services.first else { return }
    for (index, place) in places.enumerated() {
      try await yield(PlacePart(place, index, first, PlacePart.Visit()))
    }
  }

  /// The place as each service is asked for it.
  public func services(for part: PlacePart) -> [Service<PlacePart>] {
    services.enumerated().map { position, service in
      Service(
        service.name,
        PlacePart(part.place, part.index, service, part.visit, isStandIn: position > 0))
    }
  }

  /// Where a place is; the weather there, when that is known.
  public func request(for part: PlacePart) throws -> HTTPRequest {
    switch part.place {
    case .named(let name): try part.service.locating(name)
    case .located(let location): try part.service.request(for: location, wanted)
    }
  }

  /// The weather at the place that was found.
  public func request(
    after page: Page<PlacePart, JSONDocument>, _ context: ProviderContext
  ) async throws -> HTTPRequest? {
    guard page.index == 0 else { return nil }
    let part = page.part
    guard case .named(let name) = part.place else {
      if let location = part.location { try await enter(location, part, context) }
      return nil
    }
    let location = try await locate(name, in: page.payload, part, context)
    try await enter(location, part, context)
    part.found(location)
    return try part.service.request(for: location, wanted)
  }

  /// Lets those go on that wait for the place.
  public func finish(_ part: PlacePart) { register.settle(part.index) }

  /// The place, as declared.
  public func name(of part: PlacePart) -> String { part.place.shown }

  /// Enters a place that was found into the register, and tells of one that is there already.
  private func enter(
    _ location: Location, _ part: PlacePart, _ context: ProviderContext
  ) async throws {
    guard part.visit.isFirst() else { return }
    let isLookedUp = if case .named = part.place { true } else { false }
    switch try await register.enter(part.index, location, isLookedUp: isLookedUp) {
    case .new: break
    case .same(let earlier):
      context.log.warn(
        "\(context.source): “places” names \(earlier.shown) twice"
          + (part.place.shown == earlier.shown ? "" : ", the second time as \(part.place.shown)")
          + "; it is read once")
      throw EndOfPart()
    case .namesake:
      context.log.warn(
        "\(context.source): two places are called “\(location.shown)” in the rows; to tell them apart, "
          + "write them with their regions, or as lat, lon and name")
    }
  }

  /// Names the place, and says what may help with the service.
  public func explain(
    _ error: AggregateError, of part: PlacePart, _ context: ProviderContext
  ) async -> AggregateError {
    let service = part.service
    var error = error
    if error.message.hasPrefix("there is no sample for") {
      error.message = "\(part.place.shown) is not in the sample as it is asked for"
      error.hint = WeatherProvider.sampled
    }
    if !error.message.contains(part.place.shown) {
      error.message = "\(part.place.shown): \(error.message)"
    }
    if let hint = error.status.flatMap(service.hint) { error.hint = hint }
    if error.hint == nil {
      error.hint =
        error.code == .unavailable
        ? service.hint(for: 503) : "is the address in “base_urls” one of \(service.name)?"
    }
    // A second service is no advice where there is one.
    if part.isStandIn, error.hint == service.hint(for: 503) { error.hint = "try again later" }
    return error
  }
}
