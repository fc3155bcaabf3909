import AggregateCore
import AggregateJSON

/// OpenWeatherMap (https://openweathermap.org): needs a key, forecasts every three hours for five days.
struct OpenWeatherMap: WeatherService {
  let name = "openweathermap"
  let base: WebURL
  let key: String?

  func locating(_ place: PlaceName) throws -> HTTPRequest {
    var url = address(base, "/geo/1.0/direct")
    let parts = [place.name, place.region, place.country].compactMap(\.self)
    url.append(query: "q", parts.joined(separator: ","))
    url.append(query: "limit", "5")
    return authorized(url)
  }

  func locations(in document: JSONDocument) throws -> [Location] {
    try throwIfError(document.root)
    guard document.root.kind == .array else { return [] }
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
      guard Self.isWeather(root) else { throw unexpected(root) }
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
      reading[.temp] = main["temp"]?.double
      reading[.tempMin] = main["temp_min"]?.double
      reading[.tempMax] = main["temp_max"]?.double
      reading[.feelsLike] = main["feels_like"]?.double
      reading[.humidity] = main["humidity"]?.double
      reading[.pressure] = main["pressure"]?.double
      reading[.windSpeed] = node["wind"]?["speed"]?.double
      reading[.windGust] = node["wind"]?["gust"]?.double
      reading[.windDirection] = node["wind"]?["deg"]?.double
      reading[.clouds] = node["clouds"]?["all"]?.double
    } else if let temperatures = node["temp"], temperatures.kind == .object {
      // An item of the sixteen-day forecast.
      reading[.temp] = temperatures["day"]?.double
      reading[.tempMin] = temperatures["min"]?.double
      reading[.tempMax] = temperatures["max"]?.double
      reading[.feelsLike] = node["feels_like"]?["day"]?.double
      reading[.humidity] = node["humidity"]?.double
      reading[.pressure] = node["pressure"]?.double
      reading[.windSpeed] = node["speed"]?.double
      reading[.windGust] = node["gust"]?.double
      reading[.windDirection] = node["deg"]?.double
      reading[.clouds] = node["clouds"]?.double
    }
    let rain = Self.volume(node["rain"])
    let snow = Self.volume(node["snow"])
    reading[.snow] = snow
    if rain != nil || snow != nil { reading[.precipitation] = (rain ?? 0) + (snow ?? 0) }
    // An object where others have a list has been seen in the wild; the first entry is the main one.
    let weather = node["weather"].flatMap { $0.kind == .array ? $0[0] : $0 }
    reading.condition = weather?["main"]?.string
    reading.description = weather?["description"]?.string
    return reading
  }

  /// Rain and snow are objects of volumes by period, bare numbers, empty, null or absent.
  private static func volume(_ node: JSONNode?) -> Double? {
    guard let node else { return nil }
    if node.kind.isNumber { return node.double }
    return node["1h"]?.double ?? node["3h"]?.double
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

  func hint(for status: Int) -> String? {
    switch status {
    case 401:
      key == nil
        ? "set “api_key:”; keys: https://home.openweathermap.org/api_keys"
        : "the key is wrong or not active yet; keys: https://home.openweathermap.org/api_keys"
    case 404: "no such place"
    case 429: "the key is over its quota: set “rate_limit: 60/min”, the limit of free keys"
    default: nil
    }
  }

  private func unexpected(_ root: JSONNode) -> AggregateError {
    AggregateError(
      .badData, "openweathermap's answer has neither “list” nor “main”: \(root.rawText.prefix(80))",
      hint: "is the base address one of OpenWeatherMap?")
  }
}
