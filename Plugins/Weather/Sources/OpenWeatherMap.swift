import AggregateCore
import AggregateJSON

/// OpenWeatherMap (https://openweathermap.org): needs a key, forecasts every three hours for five days.
struct OpenWeatherMap: WeatherService {
  let name = "openweathermap"
  let base: WebURL
  let access: ServiceKey

  /// The key of the service.
  private var key: String? { access.value }

  var missingKey: AggregateError? { access.problem }

  func locating(_ place: PlaceName) throws -> HTTPRequest {
    var url = address(base, "/geo/1.0/direct")
    let parts = [place.name, place.region, place.country].compactMap(\.self)
    url.append(query: "q", parts.joined(separator: ","))
    url.append(query: "limit", "5")
    return authorized(url)
  }

  func locations(in document: JSONDocument) throws -> [Location] {
    try throwIfError(document.root)
    guard document.root.kind == .array else {
      throw AggregateError(
        .badData,
        "openweathermap's answer is no list of places: \(document.root.rawText.prefix(80))",
        hint: "is the base address one of OpenWeatherMap?")
    }
    return document.root.elements.compactMap { node in
      guard let latitude = node["lat"]?.double, let longitude = node["lon"]?.double else {
        return nil
      }
      return Location(
        name: node["name"]?.string ?? "", country: node["country"]?.string,
        // Outside of the United States the service's spelling of a region is not the usual one.
        regions: node["country"]?.string == "US" ? node["state"]?.string.map { [$0] } : nil,
        latitude: latitude, longitude: longitude)
    }
  }

  func request(for location: Location, _ mode: Mode, _ period: Period) throws -> HTTPRequest {
    var url = address(base, mode == .current ? "/data/2.5/weather" : "/data/2.5/forecast")
    url.append(query: "lat", NumberText.shortest(location.latitude))
    url.append(query: "lon", NumberText.shortest(location.longitude))
    url.append(query: "units", "metric")
    if mode == .forecast, let days = period.days {
      url.append(query: "cnt", String(min(40, days * 8)))
    }
    return authorized(url)
  }

  func readings(in document: JSONDocument, _ mode: Mode) throws -> [Reading] {
    let root = document.root
    try throwIfError(root)
    guard let list = root["list"], list.kind == .array else {
      guard root["dt"]?.int64 != nil, Self.isWeather(root) else { throw unexpected(root) }
      return [reading(root, offset: Reading.offset(root["timezone"]?.int64))]
    }
    let offset = Reading.offset(root["city"]?["timezone"]?.int64)
    let readings = try list.elements.map { item in
      guard item["dt"]?.int64 != nil, Self.isWeather(item) else {
        throw AggregateError(
          .badData,
          "openweathermap's list has an element that is no weather: "
            + item.rawText.prefix(80))
      }
      return reading(item, offset: (item["sys"]?["timezone"]?.int64).map(Reading.offset) ?? offset)
    }
    return mode == .daily ? DailySummary.summarize(readings) : readings
  }

  /// Air quality, stations and others have the same frame around other values.
  private static func isWeather(_ node: JSONNode) -> Bool {
    node["main"]?["temp"] != nil || node["temp"]?["day"] != nil
  }

  private func reading(_ node: JSONNode, offset: Int64) -> Reading {
    var reading = Reading()
    reading.utcOffset = offset
    if let seconds = node["dt"]?.int64 { reading.setTime(epoch: seconds, offset: offset) }
    if let main = node["main"] {
      reading.read(.temp, main["temp"])
      reading.read(.tempMin, main["temp_min"])
      reading.read(.tempMax, main["temp_max"])
      reading.read(.feelsLike, main["feels_like"])
      reading.read(.humidity, main["humidity"])
      reading.read(.pressure, main["pressure"])
      reading.read(.windSpeed, node["wind"]?["speed"])
      reading.read(.windGust, node["wind"]?["gust"])
      reading.read(.windDirection, node["wind"]?["deg"])
      reading.read(.clouds, node["clouds"]?["all"])
    } else if let temperatures = node["temp"], temperatures.kind == .object {
      // An item of the sixteen-day forecast.
      reading.read(.temp, temperatures["day"])
      reading.read(.tempMin, temperatures["min"])
      reading.read(.tempMax, temperatures["max"])
      reading.read(.feelsLike, node["feels_like"]?["day"])
      reading.read(.humidity, node["humidity"])
      reading.read(.pressure, node["pressure"])
      reading.read(.windSpeed, node["speed"])
      reading.read(.windGust, node["gust"])
      reading.read(.windDirection, node["deg"])
      reading.read(.clouds, node["clouds"])
    }
    reading.read(.snow, Self.volume(node["snow"]))
    let snow = reading[.snow]
    reading.read(.precipitation, Self.volume(node["rain"])) { $0 + (snow ?? 0) }
    if reading[.precipitation] == nil { reading[.precipitation] = snow }
    // An object where others have a list has been seen in the wild; the first entry is the main one.
    let weather = node["weather"].flatMap { $0.kind == .array ? $0[0] : $0 }
    reading.condition = weather?["main"]?.string
    reading.description = weather?["description"]?.string
    return reading
  }

  /// Rain and snow are objects of volumes by period, bare numbers, empty, null or absent.
  private static func volume(_ node: JSONNode?) -> JSONNode? {
    guard let node, node.kind == .object else { return node }
    return ["1h", "3h"].lazy.compactMap { node[$0] }.first { !$0.isNull }
  }

  private func authorized(_ url: WebURL) -> HTTPRequest {
    HTTPRequest(
      "GET", url, credentials: key.map { [Credential.query(name: "appid", value: $0)] } ?? [])
  }

  /// `cod` is a number or a text, and "not found" comes with HTTP 200.
  private func throwIfError(_ root: JSONNode) throws {
    guard root.kind == .object, let cod = root["cod"] else { return }
    let code = cod.int64.map(Int.init) ?? cod.string.flatMap { Int($0) } ?? 200
    guard code != 200 else { return }
    let said = root["message"]?.string ?? ""
    let message = said.isEmpty ? "it does not say why" : said
    throw AggregateError(
      code == 429 || code >= 500 ? .unavailable : .rejected,
      "openweathermap refused with \(code): \(message)", hint: hint(for: code), status: code)
  }

  /// The page where one gets a key.
  static let keyPage = "https://home.openweathermap.org/api_keys"

  func hint(for status: Int) -> String? {
    switch status {
    case 401: "the key is wrong or not active yet: check “api_key”; keys: \(Self.keyPage)"
    case 400: "it can't make sense of the place: check “places”"
    case 404: "it has no weather there: check the name, or the lat and lon, in “places”"
    case 429: "the key is over its quota: set “rate_limit: 60/min”, the limit of free keys"
    case 500...: "try again later, or name a second service: service: [openweathermap, open-meteo]"
    default: nil
    }
  }

  private func unexpected(_ root: JSONNode) -> AggregateError {
    AggregateError(
      .badData,
      "openweathermap's answer has neither a “list” nor a time “dt” with “main”: \(root.rawText.prefix(80))",
      hint: "is the base address one of OpenWeatherMap?")
  }
}
