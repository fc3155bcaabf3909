import AggregateCore
import AggregateJSON

/// Open-Meteo (https://open-meteo.com): no key, hourly values, the past, its own geocoding.
struct OpenMeteo: WeatherService {
  let name = "open-meteo"
  let forecastBase: WebURL
  let archiveBase: WebURL
  let geocodingBase: WebURL
  /// Key of a commercial subscription; the free service needs none.
  let key: String?

  /// The variables asked for, and the names that older answers have for them.
  private static let hourly: [(measure: Reading.Measure, names: [String])] = [
    (.temp, ["temperature_2m", "temperature"]),
    (.feelsLike, ["apparent_temperature"]),
    (.humidity, ["relative_humidity_2m", "relativehumidity_2m", "relative_humidity"]),
    (.pressure, ["pressure_msl", "surface_pressure"]),
    (.windSpeed, ["wind_speed_10m", "windspeed_10m", "windspeed"]),
    (.windGust, ["wind_gusts_10m", "windgusts_10m"]),
    (.windDirection, ["wind_direction_10m", "winddirection_10m", "winddirection"]),
    (.clouds, ["cloud_cover", "cloudcover"]),
    (.precipitation, ["precipitation", "rain"]),
    (.snow, ["snowfall"]),
  ]
  private static let daily: [(measure: Reading.Measure, names: [String])] = [
    (.temp, ["temperature_2m_mean"]),
    (.tempMin, ["temperature_2m_min"]),
    (.tempMax, ["temperature_2m_max"]),
    (.feelsLike, ["apparent_temperature_mean"]),
    (.humidity, ["relative_humidity_2m_mean"]),
    (.pressure, ["pressure_msl_mean"]),
    (.windSpeed, ["wind_speed_10m_max", "windspeed_10m_max"]),
    (.windGust, ["wind_gusts_10m_max", "windgusts_10m_max"]),
    (.windDirection, ["wind_direction_10m_dominant", "winddirection_10m_dominant"]),
    (.clouds, ["cloud_cover_mean", "cloudcover_mean"]),
    (.precipitation, ["precipitation_sum", "rain_sum"]),
    (.snow, ["snowfall_sum"]),
  ]
  private static let codeNames = ["weather_code", "weathercode"]

  func locating(_ place: PlaceName) throws -> HTTPRequest {
    var url = address(geocodingBase, "/search")
    url.append(query: "name", place.name)
    // The service knows no regions: the one meant is chosen among many of the name.
    url.append(query: "count", place.region == nil ? "10" : "100")
    url.append(query: "format", "json")
    if let country = place.country { url.append(query: "countryCode", country) }
    return authorized(url)
  }

  func locatingLike(_ place: PlaceName) throws -> HTTPRequest? {
    // The service finds names that begin with what is asked, from three letters on.
    let length = max(3, place.name.count / 2)
    guard length < place.name.count else { return nil }
    var url = address(geocodingBase, "/search")
    url.append(query: "name", String(place.name.prefix(length)))
    url.append(query: "count", "100")
    url.append(query: "format", "json")
    if let country = place.country { url.append(query: "countryCode", country) }
    return authorized(url)
  }

  private func authorized(_ url: WebURL) -> HTTPRequest {
    HTTPRequest(
      "GET", url, credentials: key.map { [Credential.query(name: "apikey", value: $0)] } ?? [])
  }

  func locations(in document: JSONDocument) throws -> [Location] {
    try throwIfError(document.root)
    let root = document.root
    // A miss has no `results` at all.
    if root.kind == .object, root["results"]?.isNull ?? true,
      root.count == 0 || root["generationtime_ms"] != nil
    {
      return []
    }
    guard let results = root["results"], results.kind == .array else {
      throw AggregateError(
        .badData, "open-meteo's answer has no list “results” of places: \(root.rawText.prefix(80))",
        hint: "is the base address Open-Meteo's geocoding?")
    }
    return results.elements.compactMap { node in
      guard let latitude = node["latitude"]?.double, let longitude = node["longitude"]?.double
      else { return nil }
      return Location(
        name: node["name"]?.string ?? "", country: node["country_code"]?.string,
        regions: (1...4).compactMap { node["admin\($0)"]?.string }, latitude: latitude,
        longitude: longitude)
    }
  }

  func request(for location: Location, _ mode: Mode, _ period: Period) throws -> HTTPRequest {
    var url =
      switch period {
      case .ahead: address(forecastBase, "/forecast")
      case .past: address(archiveBase, "/archive")
      }
    url.append(query: "latitude", NumberText.shortest(location.latitude))
    url.append(query: "longitude", NumberText.shortest(location.longitude))
    let variables = mode == .daily ? Self.daily : Self.hourly
    let names = variables.map { $0.names[0] } + [Self.codeNames[0]]
    let part =
      switch mode {
      case .current: "current"
      case .forecast, .hourly: "hourly"
      case .daily: "daily"
      }
    url.append(query: part, names.joined(separator: ","))
    url.append(query: "timezone", "auto")
    url.append(query: "wind_speed_unit", "ms")
    switch period {
    case .ahead(let days):
      if mode != .current, let days { url.append(query: "forecast_days", String(days)) }
    case .past(let dates):
      url.append(query: "start_date", dates.lowerBound.iso8601)
      url.append(query: "end_date", dates.upperBound.iso8601)
    }
    return authorized(url)
  }

  func readings(in document: JSONDocument, _ mode: Mode) throws -> [Reading] {
    // Several coordinates in one request are answered with a list.
    if document.root.kind == .array {
      return try document.root.elements.flatMap { try readings(in: $0, mode) }
    }
    return try readings(in: document.root, mode)
  }

  private func readings(in root: JSONNode, _ mode: Mode) throws -> [Reading] {
    try throwIfError(root)
    let offset = Reading.offset(root["utc_offset_seconds"]?.int64)
    switch mode {
    case .current:
      if let current = root["current"] {
        return [try reading(current, root["current_units"], offset)]
      }
      if let current = root["current_weather"] {
        return [try reading(current, root["current_weather_units"], offset)]
      }
      throw missing("current", root)
    case .forecast, .hourly:
      return try series(root, "hourly", Self.hourly, offset)
    case .daily:
      return try series(root, "daily", Self.daily, offset)
    }
  }

  private func series(
    _ root: JSONNode, _ part: String, _ variables: [(measure: Reading.Measure, names: [String])],
    _ offset: Int64
  ) throws -> [Reading] {
    guard let block = root[part], let times = block["time"], times.kind == .array else {
      throw missing(part, root)
    }
    try checkHasWeather(block, variables, part)
    let units = root["\(part)_units"]
    var readings = times.elements.map { time(of: $0, offset) }
    for (measure, names) in variables {
      guard let (name, values) = first(names, in: block) else { continue }
      try checkIsList(values, "\(part).\(name)")
      let unit = units?[name]?.string
      for (index, value) in values.elements.enumerated() where index < readings.count {
        readings[index].read(measure, value) { Self.metric($0, measure, unit) }
      }
      if !values.isNull, values.count != readings.count, !readings.isEmpty {
        readings[readings.count - 1].note(
          measure, "is not there for every time, or there for more",
          "\(values.count) values for \(readings.count) times")
      }
    }
    if let (name, codes) = first(Self.codeNames, in: block) {
      try checkIsList(codes, "\(part).\(name)")
      for (index, code) in codes.elements.enumerated() where index < readings.count {
        describe(&readings[index], code.double)
      }
    }
    return readings
  }

  /// A variable is a list, or null altogether.
  private func checkIsList(_ values: JSONNode, _ name: String) throws {
    if values.isNull || values.kind == .array { return }
    throw AggregateError(
      .badData,
      "open-meteo's “\(name)” is \(values.shown.prefix(60)), where a list is expected",
      hint: "is the base address Open-Meteo itself?")
  }

  private func reading(
    _ block: JSONNode, _ units: JSONNode?, _ offset: Int64
  ) throws -> Reading {
    try checkHasWeather(block, Self.hourly, "current")
    var reading = block["time"].map { time(of: $0, offset) } ?? Reading()
    for (measure, names) in Self.hourly {
      guard let (name, value) = first(names, in: block) else { continue }
      // The old `current_weather` block has no units of its own: km/h was the default.
      let unit = units?[name]?.string ?? (name == "windspeed" ? "km/h" : nil)
      reading.read(measure, value) { Self.metric($0, measure, unit) }
    }
    if let (_, code) = first(Self.codeNames, in: block) { describe(&reading, code.double) }
    return reading
  }

  /// Air quality, floods and others have the same frame around other values.
  private func checkHasWeather(
    _ block: JSONNode, _ variables: [(measure: Reading.Measure, names: [String])], _ part: String
  ) throws {
    let names = variables.flatMap(\.names) + Self.codeNames
    guard !names.contains(where: { block[$0] != nil }) else { return }
    let found = block.members.compactMap(\.key.string).filter { $0 != "time" }.prefix(5)
    let shown = found.isEmpty ? block.shown : found.joined(separator: ", ")
    throw AggregateError(
      .badData, "open-meteo's “\(part)” has no weather, but \(shown)",
      hint: "is the base address one of Open-Meteo's weather services?")
  }

  /// Local times have no offset; `utc_offset_seconds` of the same answer is theirs.
  private func time(of node: JSONNode, _ offset: Int64) -> Reading {
    var reading = Reading()
    reading.utcOffset = offset
    if let seconds = node.int64 {
      reading.setTime(epoch: seconds, offset: offset)
    } else if let text = node.string, let date = CalendarDate(iso8601: String(text.prefix(10))) {
      let clock = text.dropFirst(11).prefix(5).split(separator: ":").compactMap { Int64($0) }
      let isClock = clock.count == 2 && (0..<24).contains(clock[0]) && (0..<60).contains(clock[1])
      reading.date = date
      if isClock || text.utf8.count == 10 {
        let seconds = isClock ? clock[0] * 3600 + clock[1] * 60 : 0
        reading.time = Instant(date, microsecondsOfDay: (seconds - offset) * 1_000_000)
      }
    }
    return reading
  }

  private func first(_ names: [String], in block: JSONNode) -> (String, JSONNode)? {
    for name in names {
      if let node = block[name] { return (name, node) }
    }
    return nil
  }

  private func describe(_ reading: inout Reading, _ code: Double?) {
    guard let code = code.flatMap({ Int(exactly: $0) }),
      let (condition, description) = WeatherCode.meaning(of: code)
    else { return }
    reading.condition = condition
    reading.description = description
  }

  /// A value in metric units, by the unit that the answer states.
  private static func metric(_ value: Double, _ measure: Reading.Measure, _ unit: String?) -> Double
  {
    switch unit {
    case "km/h": value / 3.6
    case "mp/h", "mph": value * 0.44704
    case "kn": value * 1852 / 3600
    case "°F": (value - 32) * 5 / 9
    case "inch": value * 25.4
    // Seven centimetres of snow are ten millimetres of water, by the service's own rule.
    case "cm" where measure == .snow: value / 0.7
    default: value
    }
  }

  private func throwIfError(_ root: JSONNode) throws {
    guard root["error"]?.bool == true else { return }
    let reason = root["reason"]?.string ?? "no reason given"
    let isOverLimit = reason.contains("limit exceeded")
    let isOverloaded = reason.contains("overloaded")
    throw AggregateError(
      isOverLimit || isOverloaded ? .unavailable : .rejected, "open-meteo refused: \(reason)",
      hint: isOverLimit ? Self.limits : isOverloaded ? Self.failing : Self.refusal)
  }

  private static let refusal =
    "check “places”, “days”, “start” and “end” against what it says; lat is from -90 to 90"
  private static let failing =
    "try again later, or name a second service: service: [open-meteo, openweathermap]"
  private static let limits =
    "the free service allows 600 requests a minute and 10,000 a day: set “rate_limit:”"

  func hint(for status: Int) -> String? {
    switch status {
    case 401, 403:
      key == nil ? nil : "“api_key” is for subscribers of Open-Meteo; the free service needs none"
    case 400: Self.refusal
    case 429: Self.limits
    case 500...: Self.failing
    default: nil
    }
  }

  private func missing(_ part: String, _ root: JSONNode) -> AggregateError {
    AggregateError(
      .badData, "open-meteo's answer has no “\(part)”: \(root.rawText.prefix(80))",
      hint: "is the base address one of Open-Meteo?")
  }
}
