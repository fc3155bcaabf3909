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

  var host: String { base.host }

  func locating(_ place: PlaceName) throws -> HTTPRequest {
    if place.isPostalCode, place.region == nil, let country = place.country {
      var url = address(base, "/geo/1.0/zip")
      url.append(query: "zip", "\(place.name),\(country)")
      var request = authorized(url)
      // A code that it does not know is no failure.
      request.judge = { $0.status == 404 ? .accept : nil }
      return request
    }
    var url = address(base, "/geo/1.0/direct")
    let region = place.region.map { Regions.code(of: $0, in: place.country) ?? $0 }
    let parts = [place.name, region, place.country].compactMap(\.self)
    url.append(query: "q", parts.joined(separator: ","))
    url.append(query: "limit", "5")
    return authorized(url)
  }

  func missing(_ place: PlaceName) -> String? {
    place.isPostalCode && place.country == nil
      ? "a postal code is looked up with its country, as in “10115, DE”" : nil
  }

  func locations(in document: JSONDocument) throws -> [Location] {
    let root = document.root
    // A postal code gives one place, and not a list.
    let nodes = root.kind == .array ? Array(root.elements) : root["lat"] == nil ? nil : [root]
    if nodes == nil, root["cod"]?.wholeNumber == 404 { return [] }
    try throwIfError(root)
    guard let nodes else {
      throw AggregateError(
        .badData, "openweathermap's answer is no list of places: \(root.excerpt)",
        hint: "is the base address one of OpenWeatherMap?")
    }
    return nodes.compactMap { node in
      guard let latitude = node["lat"]?.double, let longitude = node["lon"]?.double else {
        return nil
      }
      let country = node["country"]?.string
      let state = node["state"]?.string
      return Location(
        name: node["name"]?.string ?? "", country: country, region: state,
        // Outside of the United States the service's spelling of a region is not the usual one.
        regions: country == "US" ? state.map { [$0] } : nil, latitude: latitude,
        longitude: longitude)
    }
  }

  func request(for location: Location, _ wanted: Wanted) throws -> HTTPRequest {
    var url = address(base, wanted.mode == .current ? "/data/2.5/weather" : "/data/2.5/forecast")
    url.append(query: "lat", NumberText.shortest(location.latitude))
    url.append(query: "lon", NumberText.shortest(location.longitude))
    url.append(query: "units", "metric")
    if wanted.mode == .forecast, let days = wanted.period.days {
      url.append(query: "cnt", String(min(40, days * 8)))
    }
    return authorized(url)
  }

  func readingsPerDay(_ mode: Mode) -> Int? {
    switch mode {
    case .current: nil
    case .forecast, .hourly: 8
    case .daily: 1
    }
  }

  func readings(in document: JSONDocument, _ mode: Mode) throws -> [Reading] {
    let root = document.root
    try throwIfError(root)
    guard let list = root["list"], list.kind == .array else {
      guard root["dt"] != nil, Self.isWeather(root) else { throw unexpected(root) }
      let offset = try Reading.offset(root["timezone"], "timezone", of: name)
      return [reading(root, sun: root["sys"], offset: offset)]
    }
    let city = root["city"]
    let offset = try Reading.offset(city?["timezone"], "city.timezone", of: name)
    let readings = try list.elements.map { item in
      guard item["dt"] != nil, Self.isWeather(item) else {
        throw AggregateError(
          .badData, "openweathermap's list has an element that is no weather: \(item.excerpt)",
          hint: "is the base address one of OpenWeatherMap?")
      }
      let zone = item["sys"]?["timezone"]
      let own = zone == nil || zone?.isNull == true ? offset : nil
      return reading(
        item, sun: item["sunrise"] == nil ? city : item,
        offset: try own ?? Reading.offset(zone, "sys.timezone", of: name))
    }
    return mode == .daily ? DailySummary.summarize(readings) : readings
  }

  /// Air quality, stations and others have the same frame around other values.
  private static func isWeather(_ node: JSONNode) -> Bool {
    node["main"]?["temp"] != nil || node["temp"]?["day"] != nil
  }

  private func reading(_ node: JSONNode, sun: JSONNode?, offset: Int64) -> Reading {
    var reading = Reading()
    if let time = node["dt"] {
      let isTime = time.wholeNumber.map { reading.setTime(epoch: $0, offset: offset) } ?? false
      if !isTime { reading.lose("time", "is no time", time.excerpt) }
    }
    reading.sunrise = sunTime(sun?["sunrise"], of: reading, offset)
    reading.sunset = sunTime(sun?["sunset"], of: reading, offset)
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
    if reading[.precipitation] == nil { reading.take(.precipitation, from: .snow, of: reading) }
    reading.read(.visibility, node["visibility"])
    reading.read(.precipitationProbability, node["pop"]) { $0 * 100 }
    // An object where others have a list has been seen in the wild; the first entry is the main one.
    let weather = node["weather"].flatMap { $0.kind == .array ? $0[0] : $0 }
    reading.condition = reading.readText("condition", weather?["main"])
    reading.description = reading.readText("description", weather?["description"])
    return reading
  }

  /// When the sun rises or sets, where that is on the date of the reading.
  private func sunTime(_ node: JSONNode?, of reading: Reading, _ offset: Int64) -> Instant? {
    guard let seconds = node?.wholeNumber else { return nil }
    var sun = Reading()
    sun.setTime(epoch: seconds, offset: offset)
    return sun.date == reading.date ? sun.time : nil
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
    guard root.kind == .object, let cod = root["cod"], !cod.isNull else { return }
    let digits = cod.string?.split(whereSeparator: \.isWhitespace).joined()
    guard let code = cod.int64.map(Int.init) ?? digits.flatMap({ Int($0) }) else {
      throw AggregateError(
        .badData, "openweathermap's “cod” is \(cod.excerpt), which is no status",
        hint: "is the base address one of OpenWeatherMap?")
    }
    guard code != 200 else { return }
    let said = root["message"]?.string.map(line) ?? ""
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
      "openweathermap's answer has neither a “list” nor a time “dt” with “main”: \(root.excerpt)",
      hint: "is the base address one of OpenWeatherMap?")
  }
}
