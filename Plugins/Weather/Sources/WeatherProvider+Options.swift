import AggregateCore

extension WeatherProvider {
  /// The places, each once: a place and a date have one row.
  static func places(_ nodes: [Node], _ diagnostics: inout Diagnostics) -> [Place] {
    var places: [Place] = []
    for node in nodes {
      guard let place = place(node, &diagnostics) else { continue }
      if let earlier = places.first(where: place.matches) {
        diagnostics.warning(
          "duplicate-place",
          "“places” names \(earlier.shown) twice"
            + (place.shown == earlier.shown ? "" : ", the second time as \(place.shown)"),
          at: node.location, hint: "it is read once")
      } else {
        places.append(place)
      }
    }
    return places
  }

  private static func place(_ node: Node, _ diagnostics: inout Diagnostics) -> Place? {
    if let text = node.string {
      if let place = Place(coordinates: text) {
        if case .located(let location) = place { check(location, at: node, &diagnostics) }
        return place
      }
      guard let name = PlaceName(text) else {
        diagnostics.error(
          "bad-place", "“places”: “\(text)” is neither a name nor a name with a country",
          at: node.location,
          hint: PlaceName.hint(for: text))
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
    let location = Location(
      name: options.text("name") ?? "\(latitude),\(longitude)", country: options.text("country"),
      latitude: latitude, longitude: longitude)
    check(location, at: node, &diagnostics)
    return .located(location)
  }

  private static func check(
    _ location: Location, at node: Node, _ diagnostics: inout Diagnostics
  ) {
    if abs(location.latitude) > 90 || abs(location.longitude) > 180 {
      diagnostics.error(
        "out-of-range", "there is no place at \(location.latitude), \(location.longitude)",
        at: node.location, hint: "lat is from -90 to 90, lon from -180 to 180")
    }
  }

  /// The services, each once.
  static func services(
    _ options: Options, _ diagnostics: inout Diagnostics
  ) -> [any WeatherService] {
    var names: [String] = []
    for name in options.texts("service") ?? [] where !names.contains(name) { names.append(name) }
    if names.isEmpty, !diagnostics.hasErrors {
      diagnostics.error(
        "missing-key", "“service” is empty", at: options.location("service"),
        hint: "name open-meteo, openweathermap or both, or leave it out")
    }
    return names.compactMap { service($0, options, &diagnostics) }
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
