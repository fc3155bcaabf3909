public import AggregateCore

/// Earthquakes of the USGS's catalogue (https://earthquake.usgs.gov/fdsnws/event/1/).
public struct EarthquakesProvider: EndpointProvider {
  /// The endpoint.
  public let endpoint: EarthquakesEndpoint
  /// The decoder.
  public let decoder = EarthquakesDecoder()
  /// The row mapper.
  public let mapper: EarthquakesMapper

  /// Creates a provider from its options.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let text = options.text("base_url") ?? ""
    let base = WebURL(text)
    if base == nil {
      diagnostics.error(
        "bad-url", "“base_url” is not an address: “\(text)”", at: options.location("base_url"),
        hint: "write it with http:// or https://")
    }
    var query: [(name: String, value: String)] = []
    func add(_ name: String, _ value: String?) { value.map { query.append((name, $0)) } }
    add("minmagnitude", options.text("min_magnitude"))
    add("starttime", options.text("start"))
    add("endtime", options.text("end"))
    Self.area(options, &diagnostics).forEach { add($0, $1) }
    add("orderby", options.text("order").flatMap { Self.orders[$0] })
    let limit = options.int("limit") ?? .max
    endpoint = EarthquakesEndpoint(
      base: base, query: query, limit: limit, pageSize: options.int("page_size") ?? 2000)
    mapper = EarthquakesMapper(limit: limit)
  }

  /// The circle or box as the service takes it; mistakes go to the diagnostics.
  private static func area(
    _ options: Options, _ diagnostics: inout Diagnostics
  ) -> [(String, String?)] {
    let circle = ["latitude", "longitude", "radius_km"]
    let given = circle.filter { options.given($0) != nil }
    if let first = given.first, given.count < circle.count || options.given("box") != nil {
      diagnostics.error(
        "bad-combination", "an area has either latitude, longitude and radius_km, or a box",
        at: options.location(first), hint: "given: \(given.joined(separator: ", "))")
    }
    let degrees = [("latitude", 90.0), ("longitude", 360)]
    for (name, most) in degrees where abs(options.number(name) ?? 0) > most {
      diagnostics.error(
        "out-of-range", "“\(name)” is not from -\(Int(most)) to \(Int(most))",
        at: options.location(name))
    }
    let box = options.options("box", specs: sides)
    return [
      ("latitude", options.text("latitude")), ("longitude", options.text("longitude")),
      ("maxradiuskm", options.text("radius_km")), ("minlatitude", box?.text("south")),
      ("minlongitude", box?.text("west")), ("maxlatitude", box?.text("north")),
      ("maxlongitude", box?.text("east")),
    ]
  }

  /// The request for the first page.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    endpoint.limit > 0 ? [try endpoint.request(for: 0)] : []
  }
}
